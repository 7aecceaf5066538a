import { createHeap, type Heap, type HeapItem } from './heap.ts'
import type { QueueOverflow } from './queue-types.ts'
import type { QueuedTask } from './queued-task.ts'

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
  /** All of them. */
  all: () => QueuedTask[]
}

/** A task in line. */
interface Standing {
  readonly task: QueuedTask
  readonly arrivedAt: number
  readonly arrival: number
  readonly deadline: number
  readonly urgency: number
  /** Its places in the orders in which tasks are looked for. */
  readonly tickets: [order: Heap<Ticket>, ticket: Ticket][]
}

interface Ticket extends HeapItem {
  readonly of: Standing
}

const createOrder = (isBefore: (a: Standing, b: Standing) => boolean): Heap<Ticket> =>
  createHeap<Ticket>((a, b) => isBefore(a.of, b.of))

/**
 * Who has waited for `ageingMs` is as urgent as who comes with a priority higher by 1. Since all who wait age alike, that is
 * an order of numbers that never change: priority − arrival / ageingMs.
 */
export function createQueueLine(overflow: QueueOverflow, ageingMs: number): QueueLine {
  const standings = new Map<QueuedTask, Standing>()
  const byKey = new Map<unknown, QueuedTask>()
  const turns = createOrder((a, b) =>
    a.urgency === b.urgency ? a.arrival < b.arrival : a.urgency > b.urgency,
  )
  const deadlines = createOrder((a, b) => a.deadline < b.deadline)
  const victims = createOrder((a, b) =>
    a.task.priority === b.task.priority
      ? a.arrival < b.arrival === (overflow === 'drop-oldest')
      : a.task.priority < b.task.priority,
  )
  const hasVictims = overflow.startsWith('drop')
  let arrivals = 0
  let totalCost = 0
  // Nobody in line is less urgent; that one may have left.
  let leastUrgency = Infinity

  const urgencyOf = (priority: number, arrivedAt: number): number => priority - arrivedAt / ageingMs

  return {
    size: () => standings.size,
    first: () => turns.peek()?.of.task,
    deadline: () => deadlines.peek()?.of.deadline ?? Infinity,
    soonest: () => deadlines.peek()?.of.task,
    costBefore: (priority, now) => (urgencyOf(priority, now) <= leastUrgency ? totalCost : 0),
    victimOf(newcomer) {
      if (!hasVictims) return (newcomer.key !== undefined && byKey.get(newcomer.key)) || newcomer
      const victim = victims.peek()?.of.task
      return victim && victim.priority <= newcomer.priority ? victim : newcomer
    },
    push(task, now, deadline, victim) {
      const replaced = victim && !hasVictims ? standings.get(victim) : undefined
      const { arrivedAt, arrival } = replaced ?? { arrivedAt: now, arrival: arrivals++ }
      const { priority, cost, key } = task
      const urgency = urgencyOf(priority, arrivedAt)
      const standing: Standing = { task, arrivedAt, arrival, deadline, urgency, tickets: [] }
      const enter = (order: Heap<Ticket>): void => {
        const ticket: Ticket = { of: standing, place: -1 }
        order.push(ticket)
        standing.tickets.push([order, ticket])
      }
      enter(turns)
      if (deadline < Infinity) enter(deadlines)
      if (hasVictims) enter(victims)
      standings.set(task, standing)
      if (overflow === 'replace-same-key' && key !== undefined) byKey.set(key, task)
      leastUrgency = Math.min(leastUrgency, urgency)
      totalCost += cost
    },
    remove(task) {
      const standing = standings.get(task)
      if (!standing) return
      standings.delete(task)
      for (const [order, ticket] of standing.tickets) order.remove(ticket)
      if (byKey.get(task.key) === task) byKey.delete(task.key)
      totalCost -= task.cost
      if (standings.size === 0) {
        totalCost = 0
        leastUrgency = Infinity
      }
    },
    all: () => [...standings.keys()],
  }
}
