import fc from 'fast-check'
import { batch } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { createDeferred, settled, track, type Deferred, type Tracked } from '../shared/promises.ts'
import { tries } from '../../laws/tries.ts'

// Many scripts in a test, where all are asked for.
vi.setConfig({ testTimeout: 300_000 })

/** How a batch ends: with results, the second of them an Error; with an error for all; with too few; with nothing. */
type End = 'results' | 'mixed' | 'reject' | 'throw' | 'short' | 'nothing'

type Step =
  | { do: 'add'; key: number }
  | { do: 'advance'; ms: number }
  | { do: 'flush' }
  | { do: 'cancel' }
  | { do: 'end'; which: number; how: End }

interface Limits {
  wait: number
  maxWait: number
  maxSize: number
  isKeyed: boolean
}

/** An item, and what its `add` answers. */
interface Item {
  n: number
  key: number
}

/** A batch that was sent: when, and which items. */
interface Sent {
  at: number
  items: number[]
}

const ends = fc.constantFrom<End>('results', 'mixed', 'reject', 'throw', 'short', 'nothing')

const scripts: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('add' as const), key: fc.nat({ max: 3 }) }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.nat({ max: 40 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('flush' as const, 'cancel' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat({ max: 5 }), how: ends }),
    },
  ),
  { maxLength: 40, size: 'max' },
)

const limits: fc.Arbitrary<Limits> = fc.record({
  wait: fc.constantFrom(0, 1, 20, 50, Infinity),
  maxWait: fc.constantFrom(0, 10, 30, 100, Infinity),
  maxSize: fc.constantFrom(1, 2, 3, Infinity),
  isKeyed: fc.boolean(),
})

/** What should be sent, found by looking at each millisecond anew. */
function expectedBatches(script: readonly Step[], { wait, maxWait, maxSize, isKeyed }: Limits): Sent[] {
  const sent: Sent[] = []
  let waiting: { n: number; key: number; at: number }[] = []
  let lastAt = 0
  let now = 0
  let n = 0
  const send = (): void => {
    if (waiting.length > 0) sent.push({ at: now, items: waiting.map((item) => item.n) })
    waiting = []
  }
  for (const step of script) {
    if (step.do === 'add') {
      n++
      lastAt = now
      const isKnown = isKeyed && waiting.some(({ key }) => key === step.key)
      if (!isKnown) waiting.push({ n, key: step.key, at: now })
      if (waiting.length >= maxSize) send()
    } else if (step.do === 'flush') {
      send()
    } else if (step.do === 'cancel') {
      waiting = []
    } else if (step.do === 'advance') {
      const end = now + step.ms
      for (; ; now++) {
        if (now >= lastAt + wait || now >= (waiting[0]?.at ?? now) + maxWait) send()
        if (now === end) break
      }
    }
  }
  return sent
}

/** Plays `script` to a batch, ends every batch at the end, and answers what happened. */
async function play(script: readonly Step[], { isKeyed, ...options }: Limits) {
  const clock = createManualClock()
  const sent: (Sent & { run: Deferred<unknown>; how: End })[] = []
  const adds: (Item & { at: number; result: Tracked<string> })[] = []
  const flushes: Tracked<void>[] = []
  const bad = new Error('bad')

  const all = batch<Item, string>(
    (items) => {
      const run = createDeferred<unknown>()
      sent.push({ at: clock.now(), items: items.map(({ n }) => n), run, how: 'nothing' })
      return run.promise as Promise<string[]>
    },
    { ...options, clock, ...(isKeyed && { key: ({ key }: Item) => key }) },
  )
  const end = (index: number, how: End): void => {
    const { items, run } = sent[index]!
    sent[index]!.how = how
    const results = items.map((n) => `result of ${n}`)
    if (how === 'results') run.resolve(results)
    else if (how === 'mixed') run.resolve(results.map((result, index) => (index === 1 ? bad : result)))
    else if (how === 'short') run.resolve(results.slice(1))
    else if (how === 'nothing') run.resolve(undefined)
    else run.reject(bad)
  }

  const ended = new Set<number>()
  for (const step of script) {
    if (step.do === 'add') {
      const item = { n: adds.length + 1, key: step.key }
      adds.push({ ...item, at: clock.now(), result: track(all.add(item)) })
    } else if (step.do === 'advance') {
      clock.advance(step.ms)
    } else if (step.do === 'flush') {
      flushes.push(track(all.flush()))
    } else if (step.do === 'cancel') {
      all.cancel()
    } else if (step.which < sent.length && !ended.has(step.which)) {
      ended.add(step.which)
      end(step.which, step.how)
      await settled()
    }
    expect(clock.pending).toBeLessThanOrEqual(all.size > 0 ? 1 : 0)
  }
  const left = all.size
  const sentByScript = sent.length
  void all.flush()
  for (const index of sent.keys()) if (!ended.has(index)) end(index, 'results')
  await settled()
  expect(clock.pending).toBe(0)
  return { sent, sentByScript, left, adds, flushes }
}

it('sends what the naive model sends, when it sends it', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, limits, async (script, limits) => {
      const { sent, sentByScript } = await play(script, limits)
      const batches = sent.slice(0, sentByScript).map(({ at, items }) => ({ at, items }))
      expect(batches).toEqual(expectedBatches(script, limits))
    }),
    tries(800),
  )
})

it('settles every promise, with what its own batch ended with', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, limits, async (script, limits) => {
      const { sent, adds, flushes } = await play(script, limits)
      expect(flushes.filter(({ state }) => state !== 'resolved')).toEqual([])
      for (const { n, key, result } of adds) {
        // The batch of an item of the same key is that of the newest one that is not newer.
        const own = sent.findLast(({ items }) =>
          limits.isKeyed
            ? items.some((other) => adds[other - 1]!.key === key && other <= n)
            : items.includes(n),
        )
        const index = own?.items.findLast((other) =>
          limits.isKeyed ? adds[other - 1]!.key === key : other === n,
        )
        const isCancelled = result.error instanceof DOMException && result.error.name === 'AbortError'
        if (isCancelled) continue
        expect(own).toBeDefined()
        const { how, items } = own!
        const isSecond = items.indexOf(index!) === 1
        if (how === 'results' || (how === 'mixed' && !isSecond))
          expect(result).toEqual({ state: 'resolved', value: `result of ${index!}` })
        else if (how === 'nothing') expect(result).toEqual({ state: 'resolved', value: undefined })
        else if (how === 'short') expect(result.error).toBeInstanceOf(RangeError)
        else expect((result.error as Error).message).toBe('bad')
      }
    }),
    tries(800),
  )
})
