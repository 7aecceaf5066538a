import fc from 'fast-check'
import { debounce, debounceKeyed, type DebouncedFunction, type DebounceOptions } from 'lull/core'
import { createManualClock, type ManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { edges, maxWaits, waits } from '../shared/scripts.ts'
import { tries } from '../../laws/tries.ts'

// Many scripts in a test, where all are asked for.
vi.setConfig({ testTimeout: 300_000 })

type Step =
  | { do: 'call'; key: string }
  | { do: 'flush' | 'cancel'; key: string | undefined }
  | { do: 'advance'; ms: number }

interface Timing extends DebounceOptions {
  wait: number
}

type Fn = (key: string, n: number) => string

/** What keeps a debounce for each key: ours, or the model. */
interface Keyed {
  (key: string, n: number): string | undefined
  flush: (key?: string) => unknown
  cancel: (key?: string) => void
  isPending: (key?: string) => boolean
}

interface Run {
  at: number
  key: string
  n: number
}

const KEYS = ['a', 'b', 'c']
const key = fc.constantFrom(...KEYS)
const advance = (max: number): fc.Arbitrary<Step> =>
  fc.record({ do: fc.constant('advance' as const), ms: fc.nat({ max }) })

const scripts: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constant('call' as const), key }) },
    { weight: 4, arbitrary: advance(30) },
    { weight: 3, arbitrary: advance(250) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('flush' as const, 'cancel' as const),
        key: fc.option(key, { nil: undefined }),
      }),
    },
  ),
  { maxLength: 40, size: 'max' },
)

const timing: fc.Arbitrary<Timing> = fc
  .record({ wait: waits, edges, maxWait: maxWaits })
  .map(({ edges, ...rest }) => ({ ...rest, ...edges }))

/** A debounce for each key that has ever been called. */
function keepAll(fn: Fn, { wait, ...options }: Timing): Keyed {
  const all = new Map<string, DebouncedFunction<Fn>>()
  const of = (key?: string): DebouncedFunction<Fn>[] =>
    [...all].filter(([other]) => key === undefined || other === key).map(([, held]) => held)
  const call = (key: string, n: number): string | undefined => {
    if (!all.has(key)) all.set(key, debounce(fn, wait, options))
    return all.get(key)!(key, n)
  }
  return Object.assign(call, {
    flush: (key?: string) => {
      for (const held of of(key)) if (key !== undefined || held.isPending()) held.flush()
    },
    cancel: (key?: string) => {
      for (const held of of(key)) held.cancel()
    },
    isPending: (key?: string) => of(key).some((held) => held.isPending()),
  })
}

/** Plays `script`, lets everything run out, and answers the runs, and what was answered after each step. */
function play<Kept extends Keyed>(
  script: readonly Step[],
  make: (fn: Fn, clock: ManualClock) => Kept,
  afterStep?: (kept: Kept, step: Step, clock: ManualClock, runs: Run[]) => void,
): { runs: Run[]; pending: boolean[][]; results: (string | undefined)[] } {
  const clock = createManualClock(1000)
  const runs: Run[] = []
  const pending: boolean[][] = []
  const results: (string | undefined)[] = []
  const kept = make((key, n) => {
    runs.push({ at: clock.now() - 1000, key, n })
    return `result of ${n}`
  }, clock)
  let n = 0
  for (const step of script) {
    if (step.do === 'call') results.push(kept(step.key, ++n))
    else if (step.do === 'advance') clock.advance(step.ms)
    else kept[step.do](step.key)
    pending.push([...KEYS, undefined].map((key) => kept.isPending(key)))
    afterStep?.(kept, step, clock, runs)
  }
  clock.advance(10_000)
  expect(clock.pending).toBe(0)
  return { runs, pending, results }
}

const byInstant = (runs: Run[]): Run[] => runs.toSorted((a, b) => a.at - b.at || a.n - b.n)

it('runs and is pending as a debounce for each key that is kept for ever', () => {
  fc.assert(
    fc.property(scripts, timing, (script, { wait, ...options }) => {
      const ours = play(script, (fn, clock) =>
        debounceKeyed(fn, wait, { ...options, key: (key) => key, clock }),
      )
      const model = play(script, (fn, clock) => keepAll(fn, { ...options, wait, clock }))
      expect(byInstant(ours.runs)).toEqual(byInstant(model.runs))
      expect(ours.pending).toEqual(model.pending)
      // The result of a forgotten key is lost.
      for (const [index, result] of ours.results.entries())
        if (result !== undefined) expect(result).toBe(model.results[index])
    }),
    tries(1500),
  )
})

it('knows the keys that a call would find in use, and no others', () => {
  fc.assert(
    fc.property(scripts, timing, (script, { wait, ...options }) => {
      const isSpaced = options.leading === true && options.maxWait !== undefined
      const calledAt = new Map<string, number>()
      play(
        script,
        (fn, clock) => debounceKeyed(fn, wait, { ...options, key: (key) => key, clock }),
        (keyed, step, clock, runs) => {
          const now = clock.now() - 1000
          if (step.do === 'call') calledAt.set(step.key, now)
          if (step.do === 'cancel')
            for (const key of step.key === undefined ? KEYS : [step.key]) calledAt.delete(key)
          // To advance is to end the task.
          if (step.do !== 'advance') return
          const inUse = KEYS.filter((key) => {
            const at = calledAt.get(key)
            if (at === undefined) return false
            const ranAt = isSpaced ? (runs.findLast((run) => run.key === key)?.at ?? at) : at
            return keyed.isPending(key) || now < Math.max(at, ranAt) + wait
          })
          expect(keyed.size).toBe(inUse.length)
        },
      )
    }),
    tries(800),
  )
})

it('keeps to maxKeys, and runs each call or a newer one of its key within wait', () => {
  const calls = scripts.map((script) => script.filter((step) => step.do !== 'cancel'))
  fc.assert(
    fc.property(calls, fc.constantFrom(0, 1, 20, 100), fc.boolean(), (script, wait, leading) => {
      const called: Run[] = []
      const { runs } = play(
        script,
        (fn, clock) => debounceKeyed(fn, wait, { leading, key: (key) => key, maxKeys: 2, clock }),
        (keyed, step, clock) => {
          expect(keyed.size).toBeLessThanOrEqual(2)
          if (step.do === 'call') called.push({ at: clock.now() - 1000, key: step.key, n: called.length + 1 })
        },
      )
      for (const { at, key, n } of called) {
        const next = called.find((other) => other.key === key && other.n > n)
        const run = runs.find((other) => other.key === key && other.n >= n)
        expect(run).toBeDefined()
        if (!next) expect(run!.at).toBeLessThanOrEqual(at + wait)
      }
      expect(new Set(runs.map(({ n }) => n)).size).toBe(runs.length)
    }),
    tries(800),
  )
})
