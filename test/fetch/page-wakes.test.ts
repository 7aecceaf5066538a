import { beforeEach, describe, expect, it } from 'vitest'
import { tooMany } from './fake-server.ts'
import { A, callAll, paths, start, statesOf, statusesOf, watch } from './start.ts'
import { createPage, type Page } from './fake-page.ts'

const SIGNS = ['online', 'pageshow', 'visibilitychange', 'resume']

let page: Page

beforeEach(() => {
  page = createPage()
})

describe('R124 what wakes a page', () => {
  it.each(SIGNS)(
    'R124 %s: a gate whose time has passed unnoticed opens at once, with one probe',
    async (type) => {
      const started = start({ random: () => 0.5 }, [tooMany(30)])
      const { server, clock } = started
      const calls = callAll(started, ['/0'])
      await clock.advanceAsync(10)
      calls.push(...callAll(started, paths(10)))
      // An hour that only the wall has seen: the timers have slept.
      clock.setWall(clock.wall() + 3_600_000)
      expect(server.requests).toHaveLength(1)
      page.emit(type)
      expect(server.at()).toEqual([0, 10])
      await clock.advanceAsync(10)
      expect(server.at()).toEqual([0, 10, 20, 20])
      await clock.advanceAsync(1000)
      expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
    },
  )

  it.each(SIGNS)('R124 R70 %s after an hour: those asleep go at once, within the rate', async (type) => {
    const started = start({ random: () => 0.99, ratePerSecond: 1, burst: 5, maxRetries: 8 }, (_, index) =>
      index < 5 ? 500 : 200,
    )
    const { server, clock } = started
    const calls = callAll(started, paths(5))
    await clock.advanceAsync(10)
    calls.push(...callAll(started, paths(10)))
    clock.setWall(clock.wall() + 3_600_000)
    page.emit(type)
    expect(server.requests).toHaveLength(10)
    await clock.advanceAsync(60_000)
    expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
  })

  it('R124 wakes nobody early', async () => {
    const started = start({}, [tooMany(5)])
    callAll(started, ['/0'])
    await started.clock.advanceAsync(5009)
    for (const type of SIGNS) page.emit(type)
    expect(started.server.requests).toHaveLength(1)
    await started.clock.advanceAsync(11)
    expect(started.server.at()).toEqual([0, 5010])
  })

  it('R130 listens only while somebody waits', async () => {
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

describe('R125 a page that is hidden', () => {
  it('R125 goes on draining', async () => {
    const started = start({ ratePerSecond: 10, burst: 1 })
    page.isVisible = false
    callAll(started, paths(3))
    await started.clock.advanceAsync(1000)
    expect(started.server.at()).toEqual([0, 100, 200])
  })

  it('R125 sends nothing with pauseWhenHidden, until it is shown', async () => {
    const started = start({ pauseWhenHidden: true, ratePerSecond: 10, burst: 1 }, [500])
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

  it('R125 a timer that is late sends late, and no burst', async () => {
    const started = start({ ratePerSecond: 1, burst: 2 })
    const { f, server, clock } = started
    const late = {
      ...clock,
      after: (ms: number, callback: () => void) =>
        clock.after(Math.ceil((ms + 1) / 60_000) * 60_000, callback),
    }
    f.dispose()
    const slow = start({ fetch: server.fetch, clock: late, ratePerSecond: 1, burst: 2 })
    const calls = paths(6).map((path) => watch(slow.f(A + path), clock))
    await clock.advanceAsync(180_000)
    // Each answer, 10 ms later, sets the timer anew.
    expect(server.at()).toEqual([0, 0, 60_010, 60_010, 120_020, 120_020])
    expect(statesOf(calls)).not.toContain('pending')
  })
})
