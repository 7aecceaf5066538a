import fc from 'fast-check'
import { batch, type BatchChanges } from 'lull/core'
import { createLateness } from './lateness.ts'
import { anyOf, type Of, orNot } from '../../laws/steps.ts'
import { definePart } from '../part.ts'

interface Item {
  n: number
  key: number
}

/** An item that is pending or sent; items with its key share it. */
interface Entry {
  item: Item
  is: 'pending' | 'cancelled' | 'sent' | 'answered' | 'refused'
}

interface Sent {
  entries: Entry[]
  end: (fails: boolean) => void
}

const waits = fc.constantFrom(0, 20, 20, 100, Infinity)
const maxSizes = fc.constantFrom(1, 2, 3, 10, Infinity)
const maxWaits = fc.constantFrom(0, 30, 150, Infinity)
const step = anyOf({
  add: [20, { key: fc.nat(3) }],
  end: [8, { which: fc.nat(4), fails: fc.nat(3).map((n) => n === 0) }],
  'flush cancel': 3,
  'addInside dispose': 2,
  configure: [2, { wait: orNot(waits), maxWait: orNot(maxWaits), maxSize: orNot(maxSizes) }],
})

type Step = Of<typeof step> | ({ do: 'configure' } & BatchChanges<Item>)

const MOST_SENT = 10

export const batchPart = definePart({
  name: 'batch',
  options: fc.record({ wait: waits, maxWait: maxWaits, maxSize: maxSizes, isKeyed: fc.boolean() }),
  step,
  begin({ clock, claim }, { isKeyed, ...limits }) {
    const lateness = createLateness(clock)
    const running = new Set<Sent>()
    let waiting: Entry[] = []
    let items = 0
    let unsettled = 0
    let flushes = 0
    let isDisposed = false
    let isAsked = false
    let addsInside = false
    let isAtEnd = false
    const none = { at: 0, progress: 0, least: Infinity }
    let first = none
    let last = none
    // More items than maxSize can be pending after maxSize is lowered.
    let mostSize = limits.maxSize

    function look(): void {
      first.least = Math.min(first.least, limits.maxWait)
      last.least = Math.min(last.least, limits.wait)
      lateness.see(limits.wait, limits.maxWait)
    }

    function send(sent: Item[]): Promise<string[]> {
      look()
      claim(sent.length > 0 && sent.length <= mostSize, 'sent a batch of', sent.length)
      const isAll = sent.length === waiting.length && sent.every((item, n) => item === waiting[n]?.item)
      claim(isAll, 'sent other items than those pending', sent.length, waiting.length)
      const [sinceFirst, sinceLast] = [first, last].map(({ progress }) => clock.progressMs - progress)
      const isDue = sinceLast! >= last.least || sinceFirst! >= first.least || sent.length >= limits.maxSize
      if (lateness.isSteady()) claim(isAsked || isDue, 'sent too early', sinceFirst, sinceLast)
      const entries = waiting
      waiting = []
      lateness.noTimer()
      look()
      mostSize = limits.maxSize
      for (const entry of entries) entry.is = 'sent'
      const adds = addsInside
      addsInside = false
      if (adds) add(0)
      return new Promise((resolve, reject) => {
        const one: Sent = {
          entries,
          end(fails) {
            running.delete(one)
            for (const entry of entries) entry.is = fails ? 'refused' : 'answered'
            if (fails) reject(new Error('bad'))
            else resolve(entries.map(({ item }) => `result of ${item.n}`))
          },
        }
        running.add(one)
      })
    }

    const all = batch(send, { ...limits, clock, ...(isKeyed && { key: ({ key }: Item) => key }) })
    look()

    function add(key: number): void {
      const item: Item = { n: ++items, key }
      const known = isKeyed ? waiting.find((other) => other.item.key === key) : undefined
      const entry: Entry = known ?? { item, is: isDisposed ? 'cancelled' : 'pending' }
      if (!isDisposed) {
        last = { at: clock.elapsedMs, progress: clock.progressMs, least: Infinity }
        if (waiting.length === 0) first = { ...last }
        if (!known) waiting.push(entry)
      }
      unsettled++
      all.add(item).then(
        (value) => settle(entry.is === 'answered' && value === `result of ${entry.item.n}`, value, entry),
        (error: unknown) => {
          const isCancel = (error as Error).name === 'AbortError'
          settle(entry.is === (isCancel ? 'cancelled' : 'refused'), error, entry)
        },
      )
    }

    function settle(isRight: boolean, got: unknown, entry: Entry): void {
      unsettled--
      claim(isRight, 'settled with', got, JSON.stringify(entry))
    }

    function cancel(act: () => void): void {
      for (const entry of waiting) entry.is = 'cancelled'
      waiting = []
      act()
      lateness.noTimer()
      look()
    }

    function flush(): void {
      const before = [...running]
      flushes++
      isAsked = true
      void all.flush().then(() => {
        flushes--
        const isOver = before.every((sent) => !running.has(sent))
        claim(isOver, 'flush ended before what was sent')
      })
      isAsked = false
      claim(waiting.length === 0 || waiting.every(({ item }) => item.n === items), 'flush left something')
    }

    function act(step: Step): void {
      if (step.do === 'add') add(step.key)
      else if (step.do === 'end') [...running][step.which % Math.max(running.size, 1)]?.end(step.fails)
      else if (step.do === 'addInside') addsInside = true
      else if (step.do === 'flush') flush()
      else if (step.do === 'cancel') cancel(() => all.cancel())
      else if (step.do === 'dispose') {
        cancel(() => all[Symbol.dispose]())
        isDisposed = true
      } else {
        const { wait = limits.wait, maxWait = limits.maxWait, maxSize = limits.maxSize } = step
        Object.assign(limits, { wait, maxWait, maxSize })
        isDisposed = false
        all.configure(step)
      }
      // A script starts batches faster than it ends them.
      if (running.size > MOST_SENT) [...running][0]!.end(false)
      if (waiting.length === 0) mostSize = limits.maxSize
      mostSize = Math.max(mostSize, limits.maxSize)
      look()
    }

    return {
      act,
      check() {
        const isPending = waiting.length > 0
        claim(all.size === waiting.length && all.isPending() === isPending, 'size is', all.size)
        claim(clock.pending <= (isPending ? 1 : 0), 'has timers', clock.pending)
        claim(waiting.length < limits.maxSize, 'is full and pending', waiting.length)
        if (isAtEnd) claim(unsettled + flushes + running.size === 0, 'left something', unsettled, flushes)
        if (!isPending || !clock.isQuiet) return
        const [sinceFirst, sinceLast] = [first, last].map(({ at }) => clock.elapsedMs - at)
        const isOverdue =
          sinceFirst! >= lateness.latest(limits.maxWait) || sinceLast! >= lateness.latest(limits.wait)
        claim(!isOverdue, 'a batch is overdue', sinceFirst, sinceLast)
      },
      end() {
        isAtEnd = true
        addsInside = false
        flush()
        cancel(() => all[Symbol.dispose]())
        for (const sent of running) sent.end(false)
      },
    }
  },
})
