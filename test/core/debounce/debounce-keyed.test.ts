import {
  debounceKeyed,
  type DebounceKeyedOptions,
  debounce,
  type Debounced,
  type DebounceOptions,
} from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import { createTestClock } from '../time/clocks.ts'
import fc from 'fast-check'
import { createManualClock, type ManualClock } from 'lull/testing'
import { edges, maxWaits, waits } from '../shared/scripts.ts'
import { anyOf, type Of, orNot } from '../../laws/steps.ts'
import { tries } from '../../laws/tries.ts'

type Options = Partial<DebounceKeyedOptions<[key: string, value?: number], string>>

/** A keyed debounce that records its runs as `instant: key instant-of-the-call`; `callAt` calls it at an instant, which is the value. */
function setUp(wait: number, options: Options = {}, inside?: (key: string, value: number) => void) {
  const clock = createTestClock()
  const runs: string[] = []
  const keyed = debounceKeyed(
    (key: string, value = clock.now()) => {
      runs.push(`${clock.now()}: ${key} ${value}`)
      inside?.(key, value)
      return `${key} of ${value}`
    },
    wait,
    { clock, key: (key) => key, ...options },
  )
  const goTo = (at: number) => {
    if (at > clock.now()) clock.advance(at - clock.now())
  }
  const callAt = (at: number, key: string) => {
    goTo(at)
    return keyed(key, at)
  }
  return { clock, keyed, runs, goTo, callAt }
}

it('has one timer per known key', () => {
  const { clock, keyed } = setUp(100, { leading: true })
  for (let n = 0; n < 110; n++) keyed(`id ${n % 100}`)
  expect(clock.pending).toBe(100)
  clock.advance(100)
  expect(clock.pending).toBe(0)
})

it('ignores a call whose key aborts the signal', () => {
  const abort = new AbortController()
  const key = (key: string) => {
    abort.abort()
    return key
  }
  const { clock, keyed } = setUp(100, { key, signal: abort.signal })
  keyed('a')
  expect([keyed.isPending(), clock.pending]).toEqual([false, 0])
})

it('throws an AggregateError from flush if several runs threw', () => {
  const { keyed, clock } = setUp(100, {}, (key) => {
    if (key !== 'good') throw new Error(key)
  })
  for (const key of ['a', 'good', 'b']) keyed(key)
  const errors = [new Error('a'), new Error('b')]
  expect(keyed.flush).toThrow(new AggregateError(errors, 'Several runs threw'))
  clock.advance(100)
})

it('gives no run the this of an earlier call', () => {
  const clock = createTestClock()
  const selves: unknown[] = []
  function note(this: unknown, key: string): void {
    selves.push(this ?? `none of ${key}`)
  }
  const keyed = debounceKeyed(note, 100, { clock, key: (key) => key, maxWait: 100 })
  keyed('a')
  clock.advance(70)
  keyed('a')
  clock.advance(70)
  keyed.call('this', 'a')
  clock.advance(60)
  keyed('a')
  expect(selves).toEqual(['none of a', 'none of a'])
  keyed.cancel()
})

describe('maxKeys', () => {
  it('forgets the key with the oldest last call, and runs that call in the next task', () => {
    const { clock, keyed, callAt, goTo, runs } = setUp(100, { maxKeys: 2 })
    callAt(0, 'a')
    callAt(10, 'b')
    callAt(20, 'a')
    callAt(30, 'c')
    expect(runs).toEqual([])
    expect(keyed.size).toBe(2)
    expect(keyed.isPending('b')).toBe(false)
    clock.advance(0)
    expect(runs).toEqual(['30: b 10'])
    goTo(1000)
    expect(runs.slice(1)).toEqual(['120: a 20', '130: c 30'])
  })

  it('does not forget a later call with its key', () => {
    const { clock, keyed, runs, goTo } = setUp(100, { maxKeys: 1 })
    for (const [index, id] of ['a', 'b', 'a'].entries()) keyed(id, index)
    clock.advance(50)
    keyed('a', 3)
    goTo(1000)
    expect(runs).toEqual(['0: a 0', '0: b 1', '150: a 3'])
  })

  it('runs it with an infinite wait, too', () => {
    const { clock, keyed, runs } = setUp(Infinity, { maxKeys: 2 })
    const after = vi.spyOn(clock, 'after')
    for (const id of ['a', 'b', 'c']) keyed(id, 0)
    expect(after.mock.calls.map(([ms]) => ms)).toEqual([0])
    clock.advance(0)
    expect(runs).toEqual(['0: a 0'])
    keyed.flush()
    expect(keyed.isPending()).toBe(false)
    expect(clock.pending).toBe(0)
  })
})

// A test may run many scripts, see `tries`.
vi.setConfig({ testTimeout: 300_000 })

type Fn = (key: string, n: number) => string
type Run = Record<'at' | 'n', number> & { key: string }

/** A keyed debounce: ours, or the model. */
interface Keyed {
  (key: string, n: number): string | undefined
  flush: (key?: string) => unknown
  cancel: (key?: string) => void
  isPending: (key?: string) => boolean
}

const KEYS = ['a', 'b', 'c']
const key = fc.constantFrom(...KEYS)
const advance = fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 250 }))

const scripts = fc.array(
  anyOf({
    call: [8, { key }],
    advance: [7, { ms: advance }],
    'flush cancel': [2, { key: orNot(key) }],
  }),
  { maxLength: 40, size: 'max' },
)

type Step = Of<typeof scripts>

const timing = fc
  .tuple(fc.record({ wait: waits, maxWait: maxWaits }), edges)
  .map(([rest, edges]) => ({ ...rest, ...edges }))

/** The model: keeps a debounce for each key forever. */
function keepAll(fn: Fn, { wait, ...options }: DebounceOptions & { wait: number }): Keyed {
  const all = new Map<string, Debounced<Fn>>()
  const of = (key?: string): Debounced<Fn>[] =>
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

/** Runs `script` and all timers after it. Returns the runs, and the result of each step. */
function play<Kept extends Keyed>(
  script: readonly Step[],
  make: (fn: Fn, clock: ManualClock) => Kept,
  afterStep?: (kept: Kept, step: Step, clock: ManualClock, runs: Run[]) => void,
) {
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

it('runs and is pending like a debounce for each key that is kept forever, and keeps the keys in use alone', () => {
  fc.assert(
    fc.property(scripts, timing, (script, { wait, ...options }) => {
      const isSpaced = options.leading && options.maxWait !== undefined
      const calledAt = new Map<string, number>()
      const ours = play(
        script,
        (fn, clock) => debounceKeyed(fn, wait, { ...options, key: (key) => key, clock }),
        (keyed, step, clock, runs) => {
          const now = clock.now() - 1000
          if (step.do === 'call') calledAt.set(step.key, now)
          if (step.do === 'cancel')
            for (const key of step.key === undefined ? KEYS : [step.key]) calledAt.delete(key)
          // Only an advance ends the task.
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
      const model = play(script, (fn, clock) => keepAll(fn, { ...options, wait, clock }))
      expect(byInstant(ours.runs)).toEqual(byInstant(model.runs))
      expect(ours.pending).toEqual(model.pending)
      // A forgotten key loses its last result.
      for (const [index, result] of ours.results.entries())
        if (result !== undefined) expect(result).toBe(model.results[index])
    }),
    tries(5000),
  )
})
