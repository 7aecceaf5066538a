import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  limitRate,
  pageLifecycle,
  type ComposeOptions,
  type PageLifecycleOptions,
  type RateLimit,
} from 'lull/fetch'
import { tooMany } from '../../fixtures/fake-server.ts'
import { createPage, type Page } from '../../fixtures/fake-page.ts'
import { A, callAll, paths, statusesOf, watch } from '../../fixtures/start.ts'
import { compose } from '../../fixtures/compose.ts'

/** With a limit of the rate, where there is one. */
const start = (
  { hidden, rate, ...options }: ComposeOptions & PageLifecycleOptions & { rate?: RateLimit } = {},
  answers?: Parameters<typeof compose>[2],
) => compose([pageLifecycle({ hidden }), ...(rate ? [limitRate(rate)] : [])], options, answers)

const SIGNS = ['online', 'pageshow', 'visibilitychange', 'resume']

let page: Page

beforeEach(() => {
  page = createPage()
})

describe('what wakes a page', () => {
  it.each(SIGNS)('%s: a gate whose time has passed unnoticed opens at once, with one probe', async (type) => {
    const started = start({ random: () => 0.5 }, [tooMany(30)])
    const { server, clock } = started
    const calls = callAll(started, ['/0'])
    await clock.advanceAsync(10)
    calls.push(...callAll(started, paths(10)))
    // An hour that only the wall has seen: the timers have slept.
    clock.setWall(clock.wall() + 3_600_000)
    expect(server.requests).toHaveLength(1)
    page.emit(type)
    await clock.advanceAsync(0)
    expect(server.at()).toEqual([0, 10])
    await clock.advanceAsync(10)
    expect(server.at()).toEqual([0, 10, 20, 20])
    await clock.advanceAsync(1000)
    expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
  })

  it.each(SIGNS)('%s after an hour: those asleep go at once, within the rate', async (type) => {
    const started = start(
      { random: () => 0.99, rate: { ratePerSecond: 1, burst: 5 }, maxRetries: 8 },
      (_, index) => (index < 5 ? 500 : 200),
    )
    const { server, clock } = started
    const calls = callAll(started, paths(5))
    await clock.advanceAsync(10)
    calls.push(...callAll(started, paths(10)))
    clock.setWall(clock.wall() + 3_600_000)
    page.emit(type)
    await clock.advanceAsync(0)
    expect(server.requests).toHaveLength(10)
    await clock.advanceAsync(60_000)
    expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
  })

  it('does not listen for a request past queue and gate', () => {
    const started = start()
    watch(started.f(A, { rateLimit: false }), started.clock)
    expect(page.heard).toEqual(new Set())
    return started.clock.advanceAsync(10)
  })

  it('listens only while somebody waits', async () => {
    const started = start({ concurrency: 1 })
    expect(page.heard).toEqual(new Set())
    callAll(started, ['/1'])
    expect(page.heard).toEqual(new Set())
    callAll(started, ['/2'])
    expect(page.heard).toEqual(new Set(SIGNS))
    await started.clock.advanceAsync(10)
    expect(page.heard).toEqual(new Set())
    await started.clock.advanceAsync(10)
  })
})

describe('a page that is hidden', () => {
  it('goes on draining', async () => {
    const started = start({ rate: { ratePerSecond: 10, burst: 1 } })
    page.isVisible = false
    callAll(started, paths(3))
    await started.clock.advanceAsync(1000)
    expect(started.server.at()).toEqual([0, 100, 200])
  })

  it('sends nothing while it is hidden, if it is to pause, until it is shown', async () => {
    const started = start({ hidden: 'pause', rate: { ratePerSecond: 10, burst: 1 } }, [500])
    const { server, clock } = started
    const calls = callAll(started, ['/1'])
    page.isVisible = false
    page.emit('visibilitychange')
    calls.push(...callAll(started, ['/2', '/3']))
    await clock.advanceAsync(10_000)
    expect(server.requests).toHaveLength(1)
    expect(clock.pending).toBe(0)
    page.isVisible = true
    page.emit('visibilitychange')
    await clock.advanceAsync(1000)
    expect(statusesOf(calls)).toEqual([200, 200, 200])
    expect(server.at()).toEqual([0, 10_000, 10_100, 10_200])
  })
})

describe('without a page', () => {
  it('nothing is heard, and nothing waits', async () => {
    vi.unstubAllGlobals()
    const started = start({ hidden: 'pause', concurrency: 1 }, [500])
    const calls = callAll(started, paths(2))
    await started.clock.advanceAsync(100)
    expect(statusesOf(calls)).toEqual([200, 200])
  })

  it.each<[PageLifecycleOptions, string]>([
    [{ hidden: 'stop' as never }, 'hidden to be send or pause, got stop'],
    [{ offline: 'pause' as never }, 'offline to be fail or wait, got pause'],
  ])('%o is no option', (options, message) => {
    expect(() => pageLifecycle(options)).toThrow(new RangeError(`Expected pageLifecycle ${message}`))
  })
})
