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
import { tries } from '../../laws/tries.ts'

type Options = Partial<DebounceKeyedOptions<[key: string, value?: number], string>>

/** A run, as `[instant, key, instant of the call]`. */
type Noted = [at: number, key: string, value: number]

/** A keyed debounce that records its runs; `callAt` calls it at an instant, which is the value. */
function setUp(wait: number, options: Options = {}, inside?: (key: string, value: number) => void) {
  const clock = createTestClock()
  const runs: Noted[] = []
  const keyed = debounceKeyed(
    (key: string, value = clock.now()) => {
      runs.push([clock.now(), key, value])
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

const leadingOnly = { leading: true, trailing: false }

describe('theme 32, one debouncer for many ids', () => {
  it('has a size of 0 after a quiet time, and a forgotten key works again', () => {
    const { clock, keyed, callAt, goTo, runs } = setUp(100)
    callAt(0, 'a')
    callAt(0, 'b')
    expect(keyed.size).toBe(2)
    goTo(99)
    expect(keyed.size).toBe(2)
    goTo(100)
    expect(keyed.size).toBe(0)
    expect(clock.pending).toBe(0)
    callAt(100, 'a')
    goTo(1000)
    expect(runs.at(-1)).toEqual([200, 'a', 100])
    expect(keyed.size).toBe(0)
  })

  it('is bounded by maxKeys, without losing a call', () => {
    const { keyed, runs, clock } = setUp(100, { maxKeys: 10 })
    for (let id = 0; id < 1000; id++) {
      keyed(`id ${id}`, id)
      expect(keyed.size).toBeLessThanOrEqual(10)
    }
    clock.advance(1000)
    expect(runs.map(([, , value]) => value)).toEqual(Array.from({ length: 1000 }, (_, id) => id))
  })
})

describe('size', () => {
  it('runs the leading edge once per task at a wait of 0', () => {
    const { clock, keyed, runs } = setUp(0, leadingOnly)
    keyed('b')
    keyed('a')
    keyed('a')
    expect(keyed.size).toBe(2)
    clock.advance(0)
    expect(keyed.size).toBe(0)
    keyed('a')
    clock.advance(0)
    expect(runs.map(([, key]) => key)).toEqual(['b', 'a', 'a'])
  })
})

describe('timers', () => {
  it('are one per known key', () => {
    const { clock, keyed } = setUp(100, { leading: true })
    for (let id = 0; id < 100; id++) keyed(`id ${id}`)
    expect(clock.pending).toBe(100)
    for (let id = 0; id < 10; id++) keyed(`id ${id}`)
    expect(clock.pending).toBe(100)
    clock.advance(100)
    expect(clock.pending).toBe(0)
  })
})

describe('flush', () => {
  it('throws an AggregateError if several runs threw', () => {
    const { keyed, clock } = setUp(100, {}, (key) => {
      if (key !== 'good') throw new Error(key)
    })
    for (const key of ['a', 'good', 'b']) keyed(key)
    let thrown: unknown
    try {
      keyed.flush()
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(AggregateError)
    expect((thrown as AggregateError).errors).toEqual([new Error('a'), new Error('b')])
    expect((thrown as AggregateError).message).toBe('Several runs threw')
    clock.advance(100)
  })
})

describe('configure', () => {
  it('applies edges and maxWait to new keys', () => {
    const { keyed, callAt, goTo, runs } = setUp(100)
    keyed.configure({ leading: true, maxWait: 150 })
    for (const at of [0, 60, 120]) callAt(at, 'a')
    keyed.configure({ leading: undefined, trailing: undefined, maxWait: undefined, wait: undefined })
    callAt(200, 'b')
    goTo(1000)
    expect(runs.map(([at, key]) => [at, key])).toEqual([
      [0, 'a'],
      [150, 'a'],
      [200, 'b'],
    ])
  })
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
    expect(runs).toEqual([[30, 'b', 10]])
    goTo(1000)
    expect(runs.slice(1)).toEqual([
      [120, 'a', 20],
      [130, 'c', 30],
    ])
  })

  it('runs it with an infinite wait, too', () => {
    const { clock, keyed, runs } = setUp(Infinity, { maxKeys: 2 })
    for (const id of ['a', 'b', 'c']) keyed(id, 0)
    clock.advance(0)
    expect(runs).toEqual([[0, 'a', 0]])
    keyed.flush()
    expect(keyed.isPending()).toBe(false)
    expect(clock.pending).toBe(0)
  })
})

// A test may run many scripts, see `tries`.
vi.setConfig({ testTimeout: 300_000 })

type Step =
  | { do: 'call'; key: string }
  | { do: 'flush' | 'cancel'; key: string | undefined }
  | { do: 'advance'; ms: number }

interface Timing extends DebounceOptions {
  wait: number
}

type Fn = (key: string, n: number) => string

/** A keyed debounce: ours, or the model. */
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

/** The model: keeps a debounce for each key forever. */
function keepAll(fn: Fn, { wait, ...options }: Timing): Keyed {
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

it('runs and is pending like a debounce for each key that is kept forever', () => {
  fc.assert(
    fc.property(scripts, timing, (script, { wait, ...options }) => {
      const ours = play(script, (fn, clock) =>
        debounceKeyed(fn, wait, { ...options, key: (key) => key, clock }),
      )
      const model = play(script, (fn, clock) => keepAll(fn, { ...options, wait, clock }))
      expect(byInstant(ours.runs)).toEqual(byInstant(model.runs))
      expect(ours.pending).toEqual(model.pending)
      // A forgotten key loses its last result.
      for (const [index, result] of ours.results.entries())
        if (result !== undefined) expect(result).toBe(model.results[index])
    }),
    tries(1500),
  )
})

it('keeps exactly the keys whose debounce is in use', () => {
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
    }),
    tries(800),
  )
})
