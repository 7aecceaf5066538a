import {
  batch,
  debounce,
  debounceAsync,
  debounceKeyed,
  sometimes,
  throttle,
  throttleFrame,
  type DebounceChanges,
} from 'lull/core'
import type { ManualClock } from 'lull/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTestClock } from '../time/clocks.ts'

// What holds for all of them: which arguments they refuse, and what becomes of a listener that throws.

type Options = Record<string, unknown>

interface Made {
  configure?: (changes: never) => void
  isPending: () => boolean
  subscribe: (listener: () => void) => () => void
  cancel: () => void
}

interface Subject {
  name: string
  make: (options: Options) => unknown
  /** The options that are functions, and those that are numbers, with the least that is legal. */
  functions: string[]
  numbers: Record<string, number>
  /** Makes what it made pending. */
  use?: (made: never) => void
}

const fn = (): undefined => undefined
const timed = { wait: 0, maxWait: 0 }

const subjects: Subject[] = [
  {
    name: 'debounce',
    make: ({ fn: task = fn, wait = 100, ...options }) => debounce(task as never, wait as never, options),
    functions: ['fn', 'onError'],
    numbers: timed,
    use: (made: () => void) => made(),
  },
  {
    name: 'throttle',
    make: ({ fn: task = fn, wait = 100, ...options }) =>
      throttle(task as never, wait as never, { leading: false, ...options }),
    functions: ['fn', 'onError'],
    numbers: { wait: 0 },
    use: (made: () => void) => made(),
  },
  {
    name: 'throttleFrame',
    make: ({ fn: task = fn, ...options }) => throttleFrame(task as never, options),
    functions: ['fn'],
    numbers: {},
    use: (made: () => void) => made(),
  },
  {
    name: 'debounceKeyed',
    make: ({ fn: task = fn, wait = 100, ...options }) =>
      debounceKeyed(task as never, wait as never, { key: fn, ...options }),
    functions: ['fn', 'key', 'onError'],
    numbers: { ...timed, maxKeys: 1 },
    use: (made: () => void) => made(),
  },
  {
    name: 'debounceAsync',
    make: ({ task = fn, wait = 100, ...options }) => debounceAsync(task as never, wait as never, options),
    functions: ['task'],
    numbers: timed,
    use: (made: () => Promise<unknown>) => void made(),
  },
  {
    name: 'batch',
    make: ({ flush = fn, ...options }) => batch(flush as never, options),
    functions: ['flush', 'key'],
    numbers: { ...timed, maxSize: 1 },
    use: (made: { add: (item: number) => Promise<unknown> }) => void made.add(1),
  },
  { name: 'sometimes', make: sometimes, functions: [], numbers: { first: 0, every: 0, intervalMs: 0 } },
]

const rows = subjects.map((subject) => [subject.name, subject] as const)
const noFunctions = [null, 'fn', 5, {}, []]
const noNumbers = [null, '5', true, [5], {}, 5n]
const named = (name: string, value: unknown): RegExp =>
  new RegExp(`\\b${name}\\b.*got ${String(value).replaceAll(/[[\]]/g, '\\$&')}$`)

function thrown(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}

describe.each(rows)('%s', (_, { make, functions, numbers }) => {
  it('refuses what is not a function, naming the option and the value', () => {
    for (const name of functions)
      for (const value of noFunctions) {
        const error = thrown(() => make({ [name]: value }))
        expect(error).toBeInstanceOf(TypeError)
        expect((error as Error).message).toMatch(named(name, value))
      }
  })

  it('refuses what is not a number with a TypeError, and NaN and what is below its range with a RangeError', () => {
    for (const [name, least] of Object.entries(numbers))
      for (const value of [...noNumbers, NaN, least - 1, -Infinity]) {
        const error = thrown(() => make({ [name]: value }))
        expect(error).toBeInstanceOf(typeof value === 'number' ? RangeError : TypeError)
        expect((error as Error).message).toMatch(named(name, value))
      }
  })

  it('takes the least that is legal, a fraction, Infinity, and undefined for the default', () => {
    for (const [name, least] of Object.entries(numbers))
      for (const value of [least, least + 0.5, Infinity, ...(name === 'wait' ? [] : [undefined])])
        expect(() => make({ [name]: value })).not.toThrow()
  })
})

it('debounce refuses a wait that is absent', () => {
  expect(() => debounce(fn, undefined as never)).toThrow(TypeError)
})

describe.each(rows.filter(([, { make }]) => 'configure' in (make({}) as object)))(
  '%s',
  (_, { make, numbers, functions, use }) => {
    it('refuses by configure what it refuses when it is made, and changes nothing then', () => {
      const waits = Object.entries(numbers).filter(([name]) => name !== 'maxKeys')
      const refused: Options[] = [
        ...waits.flatMap(([name, least]) =>
          ['5', NaN, least - 1].map((value) => ({ wait: 10, leading: true, [name]: value })),
        ),
        ...functions.filter((name) => name === 'key' && numbers['maxSize']).map(() => ({ wait: 10, key: 5 })),
      ]
      for (const changes of refused) {
        const clock = createTestClock()
        const made = make({ wait: 100, clock }) as Made
        expect(thrown(() => made.configure!(changes as never))).toBeInstanceOf(
          Object.values(changes).some((value) => typeof value === 'string' || value === 5)
            ? TypeError
            : RangeError,
        )
        use!(made as never)
        clock.advance(99)
        expect(made.isPending()).toBe(true)
        clock.advance(1)
        clock.advance(1000)
        made.cancel()
      }
    })

    it('leaves as it is what configure is not given', () => {
      const clock = createTestClock()
      const made = make({ wait: 100, clock }) as Made
      const nothing: DebounceChanges = { wait: undefined, maxWait: undefined, leading: undefined }
      made.configure!(nothing as never)
      use!(made as never)
      expect(made.isPending()).toBe(true)
      clock.advance(99)
      expect(clock.pending).toBe(1)
      clock.advance(1)
      expect(clock.pending).toBe(0)
    })
  },
)

describe.each(rows.filter(([, { use }]) => use))('%s', (_, { make, use }) => {
  const reported = vi.fn()
  afterEach(() => {
    vi.unstubAllGlobals()
    reported.mockClear()
  })

  function setUp(): { clock: ManualClock; made: Made } {
    vi.stubGlobal('reportError', reported)
    const clock = createTestClock()
    return { clock, made: make({ wait: 100, clock }) as Made }
  }

  it('reports what a listener throws, which stops neither the others nor the run', () => {
    const { clock, made } = setUp()
    const bad = new Error('bad')
    const heard: boolean[] = []
    made.subscribe(() => {
      throw bad
    })
    const stop = made.subscribe(() => heard.push(made.isPending()))
    use!(made as never)
    expect(heard).toEqual([true])
    expect(reported.mock.calls).toEqual([[bad]])
    stop()
    stop()
    clock.advance(1000)
    made.cancel()
    expect(heard).toEqual([true])
  })

  it('calls neither the listeners that come while it notifies nor those that go', () => {
    const { clock, made } = setUp()
    const late = vi.fn()
    const gone = vi.fn()
    const stopFirst = made.subscribe(() => {
      stopFirst()
      stopGone()
      made.subscribe(late)
    })
    const stopGone = made.subscribe(gone)
    use!(made as never)
    expect([late.mock.calls.length, gone.mock.calls.length]).toEqual([0, 0])
    clock.advance(1000)
    made.cancel()
    expect(late).toHaveBeenCalled()
    expect(gone).not.toHaveBeenCalled()
  })
})
