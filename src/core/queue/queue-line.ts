import { createHeap, type Heap } from './heap.ts'
import type { QueueOverflow } from './queue-types.ts'
import type { QueuedTask, Ticket } from './queued-task.ts'

/** The tasks that wait in a queue. Each step costs O(log n). */
export interface QueueLine {
  size: () => number
  /** Whose turn is next. */
  first: () => QueuedTask | undefined
  /** The instant at which the first of them has waited too long: Infinity if none ever has. */
  deadline: () => number
  /** Whose deadline that is. */
  soonest: () => QueuedTask | undefined
  /** What those cost who go before a task of this priority that comes now; or less, where that takes long to tell. */
  costBefore: (priority: number, now: number) => number
  /** Who has to go for `newcomer`, if the line is full: itself, if nobody else. */
  victimOf: (newcomer: QueuedTask) => QueuedTask
  /** As the last of its priority; or, if that is the policy, with the turn of its victim, which is still in line. */
  push: (task: QueuedTask, now: number, deadline: number, victim: QueuedTask | undefined) => void
  /** Takes `task` out, if it is in this line. */
  remove: (task: QueuedTask) => void
  /** All of them, in the order that they came in. */
  all: () => QueuedTask[]
}

const createOrder = (isBefore: (a: QueuedTask, b: QueuedTask) => boolean): Heap<Ticket> =>
  createHeap<Ticket>((a, b) => isBefore(a.task, b.task))

/**
 * Who has waited for `ageingMs` is as urgent as who comes with a priority higher by 1. Since all who wait age alike, that is
 * an order of numbers that never change: priority − arrival / ageingMs.
 */
export function createQueueLine(overflow: QueueOverflow, ageingMs: number): QueueLine {
  const byKey = new Map<unknown, QueuedTask>()
  const turns = createHeap<QueuedTask>((a, b) =>
    a.urgency === b.urgency ? a.arrival < b.arrival : a.urgency > b.urgency,
  )
  const deadlines = createOrder((a, b) => a.deadline < b.deadline)
  const victims = createOrder((a, b) =>
    a.priority === b.priority
      ? a.arrival < b.arrival === (overflow === 'drop-oldest')
      : a.priority < b.priority,
  )
  const hasVictims = overflow.startsWith('drop')
  let arrivals = 0
  let totalCost = 0
  // Nobody in line is less urgent; that one may have left.
  let leastUrgency = Infinity

  const urgencyOf = (priority: number, arrivedAt: number): number => priority - arrivedAt / ageingMs

  function enter(order: Heap<Ticket>, task: QueuedTask): void {
    const ticket: Ticket = { task, order, place: -1 }
    order.push(ticket)
    ;(task.tickets ??= []).push(ticket)
  }

  return {
    size: turns.size,
    first: turns.peek,
    deadline: () => deadlines.peek()?.task.deadline ?? Infinity,
    soonest: () => deadlines.peek()?.task,
    costBefore: (priority, now) => (urgencyOf(priority, now) <= leastUrgency ? totalCost : 0),
    victimOf(newcomer) {
      if (!hasVictims) return (newcomer.key !== undefined && byKey.get(newcomer.key)) || newcomer
      const victim = victims.peek()?.task
      return victim && victim.priority <= newcomer.priority ? victim : newcomer
    },
    push(task, now, deadline, victim) {
      const replaced = victim && !hasVictims ? victim : undefined
      const { priority, cost, key } = task
      task.arrivedAt = replaced ? replaced.arrivedAt : now
      task.arrival = replaced ? replaced.arrival : arrivals++
      task.deadline = deadline
      task.urgency = urgencyOf(priority, task.arrivedAt)
      turns.push(task)
      if (deadline < Infinity) enter(deadlines, task)
      if (hasVictims) enter(victims, task)
      if (overflow === 'replace-same-key' && key !== undefined) byKey.set(key, task)
      leastUrgency = Math.min(leastUrgency, task.urgency)
      totalCost += cost
    },
    remove(task) {
      if (task.place < 0) return
      turns.remove(task)
      if (task.tickets) for (const ticket of task.tickets) ticket.order.remove(ticket)
      if (byKey.get(task.key) === task) byKey.delete(task.key)
      totalCost -= task.cost
      if (turns.size() === 0) {
        totalCost = 0
        leastUrgency = Infinity
      }
    },
    all: () => turns.all().sort((a, b) => a.arrival - b.arrival),
  }
}
