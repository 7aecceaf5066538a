import {
  batch,
  createCircuitBreaker,
  createQueue,
  createWaitingLimiter,
  debounce,
  gcra,
  throttle,
  throttleFrame,
} from 'lull/core'
import { circuitBreaker, composeRateLimitedFetch } from 'lull/fetch'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeTimers, type FakeTimers } from './fake-timers.ts'

describe.each(fakeTimers)('with fake timers: %s', (_, install) => {
  /** Restores in the same task: the test runner needs the real timers between steps. */
  function withFakeTimers(test: (timers: FakeTimers) => void): void {
    // Unfaked, performance runs in real time, whose speed must not affect the result of the test.
    let now = performance.now()
    const real = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.01))
    const timers = install()
    let count: number
    try {
      test(timers)
      count = timers.count()
    } finally {
      timers.restore()
      real.mockRestore()
    }
    expect(count).toBe(0)
  }

  it.each([50, 100, 60_000, 2e9])('runs everything on time, with a wait of %d ms', (wait) => {
    withFakeTimers((timers) => {
      const runs = [vi.fn(), vi.fn(), vi.fn(() => undefined)] as const
      const expectRuns = (...expected: unknown[][][]) =>
        expect(runs.map(({ mock }) => mock.calls)).toEqual(expected)
      const throttled = throttle(runs[1], wait)
      const { add } = batch<number>(runs[2], { wait })
      debounce(runs[0], wait)(1)
      throttled(1)
      throttled(2)
      for (const item of [1, 2, 3]) void add(item)
      timers.advance(wait - 1)
      expectRuns([], [[1]], [])
      timers.advance(1)
      expectRuns([[1]], [[1], [2]], [[[1, 2, 3]]])
      timers.advance(10 * wait)
      throttled(3)
      timers.advance(wait)
      expectRuns([[1]], [[1], [2], [3]], [[[1, 2, 3]]])
    })
  })

  it.each([
    ['debounce', (fn: () => void) => debounce(fn, 100)],
    ['debounce with every option', (fn: () => void) => debounce(fn, 100, { leading: true, maxWait: 500 })],
    ['throttle', (fn: () => void) => throttle(fn, 100)],
    ['throttleFrame', (fn: () => void) => throttleFrame(fn)],
  ])('ends when all timers are run: %s', (_, make) => {
    withFakeTimers((timers) => {
      const fn = vi.fn()
      const held = make(fn)
      for (let calls = 0; calls < 3; calls++) held()
      timers.runAll()
      const runs = fn.mock.calls.length
      expect([held.isPending(), runs === 1 || runs === 2]).toEqual([false, true])
      timers.runAll()
      expect(fn).toHaveBeenCalledTimes(runs)
    })
  })
})

// In real time: checks that the real timer counts although the clock has not moved.
it('a single call runs with performance faked alone, which then stands still', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const before = performance.now()
  expect(await new Promise((resolve) => debounce(resolve, 20)('argument'))).toBe('argument')
  expect(performance.now()).toBe(before)
})

describe('with a fake queueMicrotask, as of Jest and Sinon', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['queueMicrotask'] }))

  it('a task that has started leaves its place in a full queue without a tick of the fake timers', async () => {
    const queue = createQueue({
      limiter: createWaitingLimiter(gcra({ ratePerSecond: 1, burst: 1 })),
      capacity: 1,
    })
    await queue.add(() => undefined)
    queue.add(() => undefined).catch(() => undefined)
    expect(queue.snapshot()).toMatchObject({ size: 1, refused: 0 })
    queue[Symbol.dispose]()
  })

  it('a waiting call rejects when the circuit opens', async () => {
    const fetch = composeRateLimitedFetch({
      concurrency: 1,
      maxRetries: 0,
      fetch: () => Promise.resolve(new Response(null, { status: 500 })),
      policies: [circuitBreaker(createCircuitBreaker({ minimumCalls: 1 }))],
    })
    const [, waiting] = [1, 2].map((n) => fetch(`https://a.test/${n}`))
    await expect(waiting).rejects.toMatchObject({ code: 'circuit-open' })
  })
})
