import { getEventListeners, setMaxListeners } from 'node:events'
import fc from 'fast-check'
import * as core from 'lull/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { countKept } from '../shared/garbage.ts'
import { settled } from '../shared/promises.ts'
import { createAdjustableClock, createTestClock, recordTimers } from '../time/clocks.ts'
import { type Of, scriptsOf } from '../../laws/steps.ts'
import { forAllAsync } from '../../laws/tries.ts'
import { throwing } from '../shared/throwing.ts'

// The laws of all call shapers: a table of subjects, and the laws that each keeps. See debounce-lodash.test.ts for their edges.

type Options = Record<string, unknown>
type Task = (this: unknown, ...args: unknown[]) => unknown

/** All subjects with the same members, destructured to check that they are bound. */
interface Made {
  call: (this: unknown, ...args: unknown[]) => unknown
  cancel: () => void
  flush: () => unknown
  dispose: () => void
  isPending: () => boolean
  subscribe: (listener: () => void) => () => void
  configure?: ((changes: never) => void) | undefined
}

interface Subject {
  name: string
  make: (task: unknown, options: Options) => Made
  /** The function options, and the number options with their least legal values. */
  functions: string[]
  numbers: Record<string, number>
  /** Ms from a pending call to its run. */
  delay: number
  /** Whether a call returns the last result and passes `this` on; otherwise it returns a promise. */
  isSync?: boolean
  hasSignal?: boolean
  /** Whether a timer forgets an idle key. */
  forgets?: boolean
  countsItems?: boolean
}

const timed = { wait: 0, maxWait: 0 }

type Held = Omit<Made, 'call' | 'dispose'> & { (...args: never[]): unknown; [Symbol.dispose]: () => void }

function takeOff(held: Held): Made {
  const { cancel, flush, isPending, subscribe, configure, [Symbol.dispose]: dispose } = held
  return { call: held as unknown as Made['call'], cancel, flush, dispose, isPending, subscribe, configure }
}

const debounced: Omit<Subject, 'name' | 'make'> = {
  functions: ['fn', 'onError'],
  numbers: timed,
  delay: 100,
  isSync: true,
  hasSignal: true,
}
const timedBy =
  (make: typeof core.debounce) =>
  (defaults: Options = {}) =>
  (task: unknown, { wait = 100, ...options }: Options): Made =>
    takeOff(make(task as Task, wait as number, { ...defaults, ...options }))
const makeDebounce = timedBy(core.debounce)
const makeThrottle = timedBy(core.throttle)

const subjects: Subject[] = [
  { ...debounced, name: 'debounce', make: makeDebounce() },
  { ...debounced, name: 'debounce with maxWait', make: makeDebounce({ maxWait: 150 }) },
  { ...debounced, name: 'throttle', make: makeThrottle({ leading: false }), numbers: { wait: 0 } },
  {
    ...debounced,
    name: 'throttleFrame',
    make: (task, { wait: _wait, ...options }) => takeOff(core.throttleFrame(task as Task, options)),
    functions: ['fn'],
    numbers: {},
    delay: 16,
  },
  {
    ...debounced,
    name: 'debounceKeyed',
    make: (task, { wait = 100, ...options }) =>
      takeOff(core.debounceKeyed(task as Task, wait as number, { key: () => 'key', ...options })),
    functions: ['fn', 'key', 'onError'],
    numbers: { ...timed, maxKeys: 1 },
    forgets: true,
  },
  {
    name: 'debounceAsync',
    make: (task, { wait = 100, ...options }) => {
      const run =
        typeof task === 'function' ? (_: unknown, ...args: unknown[]) => (task as Task)(...args) : task
      return takeOff(core.debounceAsync(run as Task, wait as number, options))
    },
    functions: ['task'],
    numbers: timed,
    delay: 100,
    hasSignal: true,
  },
  {
    name: 'batch',
    make(task, options) {
      const run =
        typeof task === 'function'
          ? (items: unknown[][]) => {
              const result = (task as Task)(...items.at(-1)!)
              return items.map(() => result)
            }
          : task
      const { add, ...made } = core.batch(run as () => undefined, options)
      return takeOff(Object.assign((...args: unknown[]) => add(args), made))
    },
    functions: ['flush', 'key'],
    numbers: { ...timed, maxSize: 1 },
    delay: 100,
    countsItems: true,
  },
]

const fn = (): undefined => undefined
const all = subjects.map((subject) => [subject.name, subject] as const)
const having = (has: (subject: Subject) => unknown) => all.filter(([, subject]) => has(subject))

function thrown(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}

interface Run {
  at: number
  args: unknown[]
  self: unknown
}

interface SetUp extends Made {
  clock: ReturnType<typeof createAdjustableClock>
  abort: AbortController
  runs: Run[]
  /** `isPending` at each change. */
  changes: boolean[]
  /** Errors from a timer, from `flush`, or from the promise of a call. */
  errors: unknown[]
  advance: (ms: number) => Promise<void>
}

function setUp(
  { make, hasSignal, countsItems }: Subject,
  inside: (made: SetUp, run: Run) => void = fn,
  { change = (clock) => clock, ...options }: Options & { change?: (clock: core.Clock) => core.Clock } = {},
): SetUp {
  const manual = createAdjustableClock()
  const abort = new AbortController()
  const runs: Run[] = []
  const changes: boolean[] = []
  const errors: unknown[] = []
  const task: Task = function (...args) {
    const run = { at: manual.now(), args, self: this }
    runs.push(run)
    inside(made, run)
    return `result of ${String(args[0])}`
  }
  const clock = change(manual)
  const own = make(task, { wait: 100, ...options, clock, ...(hasSignal && { signal: abort.signal }) })
  const attempt = (act: () => unknown): unknown => {
    try {
      const result = act()
      if (result instanceof Promise)
        result.catch((error: unknown) => {
          if ((error as Error).name !== 'AbortError') errors.push(error)
        })
      return result
    } catch (error) {
      errors.push(error)
      return undefined
    }
  }
  const made: SetUp = {
    ...own,
    clock: manual,
    abort,
    runs,
    changes,
    errors,
    call(...args) {
      return attempt(() => own.call.apply(this, args))
    },
    flush: () => attempt(own.flush),
    async advance(ms) {
      attempt(() => manual.advance(ms))
      await settled()
    },
  }
  own.subscribe(() => {
    // A batch notifies of each item.
    if (!countsItems || changes.at(-1) !== own.isPending()) changes.push(own.isPending())
  })
  return made
}

const argsOf = (runs: Run[]): unknown[] => runs.map(({ args }) => args[0])

/** Everything that ends a pending call. */
const ends = ({ delay, hasSignal }: Subject): [string, (made: SetUp) => unknown][] => [
  ['a run', ({ advance }) => advance(delay)],
  ['a cancel', ({ cancel }) => cancel()],
  ['a flush', ({ flush }) => flush()],
  ['a dispose', ({ dispose }) => dispose()],
  ...(hasSignal ? [['an abort', ({ abort }: SetUp) => abort.abort()] as [string, () => unknown]] : []),
]
const endings = subjects.flatMap((subject) =>
  ends(subject).map(([how, end]) => [subject.name, how, subject, end] as const),
)

const rows = [
  ...having(({ name }) => !name.includes(' ')).map(
    ([name, { make, functions, numbers }]) =>
      [
        name,
        ({ fn: f = fn, task = f, flush = task, ...options }: Options) => make(flush, options),
        functions,
        numbers,
      ] as const,
  ),
  ['sometimes', (all: Options) => core.sometimes(all), [], { first: 0, every: 0, intervalMs: 0 }] as const,
]
const named = (name: string, value: unknown): RegExp => {
  const shown = Array.isArray(value) ? `[${value.join()}]` : String(value)
  return new RegExp(`\\b${name}\\b.*got ${shown.replaceAll(/[[\]]/g, '\\$&')}$`)
}

it.each<(typeof rows)[number]>(rows)('%s throws for a bad type or value', (_, make, functions, numbers) => {
  for (const name of functions)
    for (const value of [null, 'fn', 5, {}, []]) {
      const error = thrown(() => make({ [name]: value }))
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toMatch(named(name, value))
    }
  for (const [name, least] of Object.entries(numbers)) {
    for (const value of [null, '5', true, [5], {}, 5n, NaN, least - 1, -Infinity]) {
      const error = thrown(() => make({ [name]: value }))
      expect(error).toBeInstanceOf(typeof value === 'number' ? RangeError : TypeError)
      expect((error as Error).message).toMatch(named(name, value))
    }
    for (const value of [least, least + 0.5, Infinity, undefined])
      expect(() => make({ [name]: value })).not.toThrow()
  }
})

it.each([
  ['throttle', {}, 'ab', [50, 160, 260, 360]],
  ['throttle', { leading: true }, 'ab', [50, 160, 260, 360]],
  ['throttle', { leading: true, trailing: false }, 'ab', [100, 200, 300]],
  ['debounce with maxWait', { maxWait: 100 }, 'ab', [50, 160, 260, 360]],
  ['debounceKeyed', { leading: true, maxWait: 100 }, 'ab', [50, 160, 260, 360]],
  ['debounceKeyed', { leading: true, maxWait: 100 }, 'a', [100, 200, 300, 400]],
  ['batch', { maxWait: 100 }, 'ab', [100, 200, 300, 400]],
])('%s with %o runs every wait if calls go on after %o and a set back', async (name, options, before, at) => {
  const subject = subjects.find((each) => each.name === name)!
  const { call, clock, runs, advance, cancel } = setUp(subject, fn, options)
  for (const item of before) call(item)
  await advance(50)
  runs.length = 0
  clock.adjust(-1e6)
  const setBackAt = clock.now()
  for (let n = 0; n < 20; n++) {
    call(n)
    await advance(20)
  }
  cancel()
  expect(runs.map((run) => run.at - setBackAt)).toEqual(at)
})

it('throttle delays a call by one wait at most if the clock was set back after the last run', () => {
  const clock = createAdjustableClock()
  const run = vi.fn()
  const throttled = core.throttle(run, 100, { clock })
  throttled('a')
  clock.adjust(-170)
  clock.advance(144)
  throttled('b')
  clock.advance(49)
  throttled('c')
  clock.advance(51)
  expect(run.mock.calls).toEqual([['a'], ['c']])
  throttled.cancel()
})

describe.each(having(({ numbers }) => 'wait' in numbers))('configure of %s', (_, subject) => {
  it('rejects bad values as the constructor does; these and undefined change nothing', async () => {
    const { numbers } = subject
    const waits = Object.keys(numbers).filter((name) => name !== 'maxKeys')
    const refused: Options[] = waits.flatMap((name) =>
      ['5', NaN, numbers[name]! - 1].map((value) => ({ wait: 10, leading: true, [name]: value })),
    )
    if ('maxSize' in numbers) refused.push({ wait: 10, key: 5 })
    const { call, configure, runs, changes, advance } = setUp(subject)
    for (const options of refused) {
      const isType = Object.values(options).some((value) => value === '5' || value === 5)
      expect(thrown(() => configure!(options as never))).toBeInstanceOf(isType ? TypeError : RangeError)
    }
    const nothing: core.DebounceChanges = { wait: undefined, maxWait: undefined, leading: undefined }
    configure!(nothing as never)
    call('a')
    configure!(nothing as never)
    await advance(99)
    expect(runs).toEqual([])
    await advance(1)
    expect(argsOf(runs)).toEqual(['a'])
    expect(changes).toEqual([true, false])
  })

  it.each([10, 50, 200])('re-times a pending call from the last call: to %d ms', async (wait) => {
    const { call, configure, runs, advance, changes, clock } = setUp(subject)
    const after = vi.spyOn(clock, 'after')
    call('a')
    await advance(30)
    configure!({ wait } as never)
    expect([runs, changes]).toEqual([[], [true]])
    await advance(1000)
    expect(runs.map(({ at, args }) => [at, args[0]])).toEqual([[Math.max(wait, 30), 'a']])
    // Node warns of a negative delay.
    expect(Math.min(...after.mock.calls.map(([delayMs]) => delayMs))).toBeGreaterThanOrEqual(0)
  })

  it('accepts an infinite wait, and counts a finite one from the last call', async () => {
    const { call, configure, isPending, clock, runs, advance } = setUp(subject)
    call('a')
    configure!({ wait: Infinity } as never)
    await advance(10_000)
    call('b')
    expect([clock.pending, isPending(), runs]).toEqual([0, true, []])
    // The maxWait of a batch counts from its first item.
    configure!({ wait: 100, ...(!subject.countsItems && { maxWait: 100 }) } as never)
    await advance(10_000)
    expect(runs.map(({ at, args }) => [at, args[0]])).toEqual([[10_100, 'b']])
  })

  it('revives a disposed function', async () => {
    const { call, configure, dispose, runs, advance } = setUp(subject)
    dispose()
    configure!({ trailing: true } as never)
    call('a')
    call('b')
    await advance(1000)
    expect(argsOf(runs).at(-1)).toBe('b')
  })
})

/** What a run does itself. */
type Inside = 'nothing' | 'call' | 'flush' | 'cancel' | 'dispose' | 'throw'

const scripts = scriptsOf(30, {
  call: [
    8,
    {
      inside: fc.oneof(
        { weight: 6, arbitrary: fc.constant<Inside>('nothing') },
        { weight: 6, arbitrary: fc.constantFrom<Inside[]>('call', 'flush', 'cancel', 'throw') },
        { weight: 1, arbitrary: fc.constant<Inside>('dispose') },
      ),
    },
  ],
  'flush cancel advance': 4,
  'dispose abort': 1,
})

it.each(all)(
  '%s runs the last call with its arguments and this, in time or by flush, also what a run calls; or never',
  async (_, subject) => {
    const { isSync, hasSignal, forgets } = subject
    const play = async (script: Of<typeof scripts>[]): Promise<void> => {
      const insides: Inside[] = []
      const call = (made: Made, n: number) => made.call.call({ n }, n, `call ${n}`, undefined)
      const made = setUp(subject, (made, { args: [n] }) => {
        const inside = insides[n as number] ?? 'nothing'
        if (inside === 'throw') throw new Error(`of ${String(n)}`)
        if (inside === 'flush') void made.flush()
        if (inside === 'dispose') made.dispose()
        if (inside !== 'nothing') call(made, -(n as number))
        if (inside === 'flush') void made.flush()
        if (inside === 'cancel') made.cancel()
      })
      // The same by the model: the number of the pending call, the last result, what has run, and what has thrown.
      let pending: number | undefined
      let last: string | undefined
      let isOver = false
      const right: number[] = []
      const thrown: string[] = []
      const run = (): void => {
        if (pending === undefined) return
        const n = pending
        const inside = insides[n] ?? 'nothing'
        pending = undefined
        right.push(n)
        if (inside === 'throw') {
          thrown.push(`of ${n}`)
          return
        }
        isOver ||= inside === 'dispose'
        if (inside === 'call' || inside === 'flush') pending = -n
        if (inside === 'flush') run()
        last = `result of ${n}`
      }
      for (const [index, step] of script.entries()) {
        const known = thrown.length
        let returned: unknown = last
        if (step.do === 'call') {
          insides[index + 1] = step.inside
          returned = call(made, index + 1)
          if (!isOver) pending = index + 1
        } else if (step.do === 'flush') {
          returned = made.flush()
          run()
        } else if (step.do === 'advance') {
          await made.advance(1000)
          while (pending !== undefined) run()
          returned = last
        } else {
          if (step.do === 'abort' && hasSignal) made.abort.abort()
          else if (step.do !== 'abort') made[step.do]()
          else continue
          isOver ||= step.do !== 'cancel'
          pending = undefined
        }
        await settled()
        if (isSync && !forgets && thrown.length === known) expect(returned).toBe(last)
        const isPending = pending !== undefined
        expect(made.runs.map(({ args, self }) => [args, self])).toEqual(
          right.map((n) => [[n, `call ${n}`, undefined], isSync ? { n } : undefined]),
        )
        expect([...new Set(made.errors.map((error) => (error as Error).message))]).toEqual(thrown)
        expect([made.isPending(), made.changes.at(-1) ?? false]).toEqual([isPending, isPending])
        expect(made.changes).toEqual(made.changes.map((_, index) => index % 2 === 0))
        if (!forgets) expect(made.clock.pending > 0).toBe(isPending)
      }
      made.cancel()
      await made.advance(1000)
    }
    await forAllAsync(500, scripts, play)
  },
)

describe.each(all)('%s', (_, subject) => {
  const { delay } = subject

  it('runs on time if the clock stands still', async () => {
    for (const wait of [1, 100]) {
      const frozen = setUp(subject, fn, { wait, change: (clock) => ({ ...clock, now: () => 0 }) })
      for (const item of ['a', 'b']) {
        frozen.call(item)
        await frozen.advance(1000)
        expect(argsOf(frozen.runs).at(-1)).toBe(item)
      }
    }
  })

  it('waits for no clock to catch up that was set back: in a burst, with a new wait, to forget a key', async () => {
    const { call, configure, clock, runs, advance, cancel } = setUp(subject)
    call('a')
    clock.adjust(-1e6)
    await advance(delay - 1)
    expect(runs).toEqual([])
    await advance(1)
    await advance(1000)
    clock.adjust(-1e6)
    call('b')
    await advance(delay)
    expect(argsOf(runs)).toEqual(['a', 'b'])
    call('c')
    clock.adjust(-1e6)
    configure?.({ wait: delay } as never)
    await advance(delay)
    expect(argsOf(runs)).toEqual(['a', 'b', 'c'])
    await advance(delay)
    expect(clock.pending).toBe(0)
    cancel()
  })

  describe('subscribe', () => {
    const reported = vi.fn()
    afterEach(() => void reported.mockClear())

    it('reports an error of a listener, and calls the others and the run', async () => {
      vi.stubGlobal('reportError', reported)
      const bad = new Error('bad')
      const { call, subscribe, isPending, runs, advance } = setUp(subject)
      const heard: boolean[] = []
      subscribe(throwing(bad))
      const stop = subscribe(() => heard.push(isPending()))
      call('a')
      expect([heard, reported.mock.calls]).toEqual([[true], [[bad]]])
      stop()
      stop()
      await advance(1000)
      expect(heard).toEqual([true])
      expect(argsOf(runs)).toEqual(['a'])
    })

    it('may call during a dispose, which ignores that', async () => {
      const { call, subscribe, dispose, isPending, runs, advance } = setUp(subject)
      call('a')
      const listener = vi.fn(() => isPending() || call('b'))
      subscribe(listener)
      dispose()
      await advance(1000)
      expect([isPending(), runs, listener.mock.calls.length]).toEqual([false, [], 1])
    })

    it.each(ends(subject).slice(1))('may end the call that it hears of with %s', async (how, end) => {
      const made = setUp(subject)
      const { call, subscribe, isPending, clock, cancel } = made
      subscribe(() => isPending() && end(made))
      call('a')
      await settled()
      const left = subject.forgets && how === 'a flush' ? 1 : 0
      expect([isPending(), clock.pending]).toEqual([false, left])
      cancel()
    })
  })
})

it.each(endings)(
  '%s, after %s, is not pending, has notified once, and keeps no timer, signal listener, arguments or this',
  async (_, how, subject, end) => {
    const made = setUp(subject)
    const { call, clock, changes, isPending, abort } = made
    const listeners = (): number => getEventListeners(abort.signal, 'abort').length
    const callWithFresh = (): WeakRef<object>[] => {
      const fresh = [{}, {}] as const
      call.call(...fresh)
      return fresh.map((object) => new WeakRef(object))
    }
    expect(listeners()).toBe(0)
    call('a')
    const refs = callWithFresh()
    expect(listeners()).toBe(subject.hasSignal ? 1 : 0)
    for (let times = 0; times < 2; times++) {
      await end(made)
      await settled()
      // Only the timer that forgets a key after its run may be left.
      const left = subject.forgets && how === 'a flush' ? 1 : 0
      expect([isPending(), clock.pending, listeners()]).toEqual([false, left, 0])
      expect(changes).toEqual([true, false])
    }
    made.runs.length = 0
    expect(await countKept(refs)).toBe(0)
    // A use at the end, so that it stays reachable until here.
    made.cancel()
  },
)

describe.each(having(({ hasSignal }) => hasSignal))('the signal of %s', (_, subject) => {
  const { make, delay } = subject

  it('drops a pending call on abort, also for a flush during it', async () => {
    const { call, flush, abort, runs, advance } = setUp(subject)
    abort.signal.addEventListener('abort', () => void flush())
    call('a')
    abort.abort()
    await advance(1000)
    expect(runs).toEqual([])
  })

  it('keeps nothing alive once no run is pending', async () => {
    const clock = createTestClock()
    const { signal } = new AbortController()
    setMaxListeners(0, signal)
    const use = async () => {
      const many = Array.from({ length: 100 }, () => make(() => 1, { clock, signal }))
      for (const { call } of many) void call()
      clock.advance(delay)
      await settled()
      return many.map(({ call }) => new WeakRef(call))
    }
    expect(await countKept(await use())).toBe(0)
    expect(signal.aborted).toBe(false)
  })
})

it.each(having(({ functions }) => functions.includes('onError')))(
  "onError of %s receives the error of a timer's run once; the error of a flush goes to its caller",
  async (_, subject) => {
    const bad = new Error('bad')
    const fail = throwing(bad)
    const onError = vi.fn()
    const { call, flush, errors, advance, isPending } = setUp(subject, fail, { onError })
    call('a')
    await advance(1000)
    expect([onError.mock.calls, errors, isPending()]).toEqual([[[bad]], [], false])
    call('b')
    void flush()
    expect([onError.mock.calls.length, errors, isPending()]).toEqual([1, [bad], false])
    await advance(1000)
  },
)

describe.each(having(({ numbers }) => 'wait' in numbers))('timers of %s', (_, subject) => {
  const LONGEST_MS = 2 ** 31 - 1
  const { make } = subject

  it.each([2 ** 31, 2 ** 31 + 0.5, 1e12, Infinity])('are never too long, at %d ms', async (wait) => {
    for (const startMs of [0, 123.456, 25_102.852341022208, 2 ** 41]) {
      const manual = createTestClock(startMs)
      const { clock, delays } = recordTimers(manual)
      const task = vi.fn()
      const { call, cancel, isPending } = make(task, {
        wait,
        ...('maxWait' in subject.numbers && { maxWait: undefined }),
        clock,
      })
      void call('a')
      task.mockClear()
      for (let times = 0; times < 2; times++) {
        const result = call('b')
        if (result instanceof Promise) result.catch(fn)
        manual.advance(1000)
        await settled()
      }
      expect(task).not.toHaveBeenCalled()
      // Platforms use whole milliseconds, and replace a delay that is too long by 1.
      expect(Math.ceil(Math.max(0, ...delays))).toBeLessThanOrEqual(LONGEST_MS)
      expect(delays).toHaveLength(wait < Infinity ? 1 : 0)
      expect(isPending()).toBe(true)
      cancel()
    }
  })

  it('are one for a burst within wait and one for its rest, and none is cancelled', async () => {
    const manual = createTestClock()
    const { clock, delays, cancelled } = recordTimers(manual)
    const { call } = make(fn, { wait: 1000, clock })
    for (let n = 0; n < 1000; n++) {
      void call(n)
      if (n < 999) manual.advance(1)
      expect(manual.pending).toBeLessThanOrEqual(1)
    }
    expect(delays).toHaveLength(1)
    manual.advance(2000)
    await settled()
    expect(delays.length).toBeLessThanOrEqual(2)
    expect(cancelled).toEqual([])
  })
})
