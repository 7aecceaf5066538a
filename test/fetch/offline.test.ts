import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { networkError, tooMany } from './fake-server.ts'
import { A, callAll, paths, start, statesOf, statusesOf, watch } from './start.ts'

const post: RequestInit = { method: 'POST' }
const SIGNS = ['online', 'pageshow', 'visibilitychange', 'resume']

/** A page: what it listens to, and whether it is online and visible. */
interface Page {
  isOnline: boolean
  isVisible: boolean
  heard: Set<string>
  emit: (type: string) => void
}

let page: Page

beforeEach(() => {
  const listeners = new Map<string, Set<() => void>>()
  const of = (type: string): Set<() => void> => {
    const all = listeners.get(type) ?? new Set()
    listeners.set(type, all)
    return all
  }
  page = {
    isOnline: true,
    isVisible: true,
    get heard() {
      return new Set([...listeners].filter(([, all]) => all.size > 0).map(([type]) => type))
    },
    emit: (type) => of(type).forEach((listener) => listener()),
  }
  const target = {
    addEventListener: (type: string, listener: () => void) => of(type).add(listener),
    removeEventListener: (type: string, listener: () => void) => of(type).delete(listener),
  }
  vi.stubGlobal('addEventListener', target.addEventListener)
  vi.stubGlobal('removeEventListener', target.removeEventListener)
  vi.stubGlobal('document', {
    ...target,
    get visibilityState() {
      return page.isVisible ? 'visible' : 'hidden'
    },
  })
  vi.stubGlobal('navigator', {
    get onLine() {
      return page.isOnline
    },
  })
})
afterEach(() => {
  expect(page.heard).toEqual(new Set())
  vi.unstubAllGlobals()
})

describe('R123 offline', () => {
  it('R123 by default is a network error like any other', async () => {
    const started = start({}, () => networkError())
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(1000)
    expect(calls[0]!.state).toBe('rejected')
    expect(started.server.requests).toHaveLength(3)
  })

  it('R123 with wait, the call waits for the online event, and that costs no attempt', async () => {
    const started = start({ offline: 'wait', maxRetries: 1 }, [
      networkError(),
      networkError(),
      networkError(),
      500,
    ])
    const { f, server, clock } = started
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await clock.advanceAsync(3_600_000)
    expect(server.requests).toHaveLength(1)
    expect(f.snapshot(A)).toMatchObject({ sleeping: 1, queued: 0, inFlight: 0 })
    for (let time = 0; time < 2; time++) {
      page.emit('online') // Which it is not.
      page.isOnline = true
      page.emit('online')
      page.isOnline = false
      await clock.advanceAsync(1000)
    }
    expect(server.requests).toHaveLength(3)
    page.isOnline = true
    page.emit('online')
    // One attempt is what came of it all; one repeat is left.
    await clock.advanceAsync(1000)
    expect(server.requests).toHaveLength(5)
    expect(statusesOf(calls)).toEqual([200])
  })

  it('R123 a first attempt is always made, for onLine may lie', async () => {
    const started = start({ offline: 'wait' })
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(10)
    expect(statusesOf(calls)).toEqual([200])
  })

  it('R123 costs nothing of the budget', async () => {
    const pay = vi.fn()
    const account = { level: () => 1, canPay: () => true, pay, succeeded: () => undefined }
    const started = start({ offline: 'wait', retryBudget: () => account }, [networkError()])
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(10)
    page.isOnline = true
    page.emit('online')
    await started.clock.advanceAsync(10)
    expect(statusesOf(calls)).toEqual([200])
    expect(pay).not.toHaveBeenCalled()
  })

  it('R123 the wait is bounded by the deadline', async () => {
    const started = start({ offline: 'wait', totalTimeoutMs: 5000 }, [networkError()])
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(5000)
    expect(calls[0]).toMatchObject({ state: 'rejected', at: 5000, error: { code: 'deadline' } })
  })

  it('R123 R82 a POST does not wait, for it is not sent again', async () => {
    const started = start({ offline: 'wait' }, [networkError()])
    page.isOnline = false
    const calls = callAll(started, ['/1'], post)
    await started.clock.advanceAsync(10)
    expect(calls[0]!.error).toBeInstanceOf(TypeError)
  })

  it('R123 R104 an abort ends it at once', async () => {
    const { f, clock } = start({ offline: 'wait' }, [networkError()])
    page.isOnline = false
    const controller = new AbortController()
    const call = watch(f(`${A}/`, { signal: controller.signal }), clock)
    await clock.advanceAsync(10)
    controller.abort()
    await clock.advanceAsync(0)
    expect(call).toMatchObject({ state: 'rejected', at: 10 })
  })

  it.each([
    ['while it waits', false],
    ['while it is in flight', true],
  ])('R123 R80 dispose ends it, %s', async (_, isInFlight) => {
    const started = start({ offline: 'wait' }, [networkError()])
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(isInFlight ? 5 : 10)
    started.f.dispose()
    await started.clock.advanceAsync(100)
    expect(calls[0]!.state).toBe('rejected')
  })

  it.each<[string, RequestInit, number]>([
    ['at the last attempt', { method: 'PUT', body: 'body' }, 0],
    ['after repeats', { method: 'PUT', body: 'body' }, 2],
  ])('R123 R99 a body is sent again whole when the browser is online: %s', async (_, init, maxRetries) => {
    const started = start({ offline: 'wait', maxRetries }, [
      ...Array.from({ length: maxRetries }, () => 500),
      networkError(),
      networkError(),
    ])
    const { server, clock } = started
    const calls = callAll(started, ['/1'], init)
    await clock.advanceAsync(1 + 10 * maxRetries)
    page.isOnline = false
    for (let time = 0; time < 2; time++) {
      await clock.advanceAsync(100)
      page.isOnline = true
      page.emit('online')
      page.isOnline = false
    }
    await clock.advanceAsync(100)
    expect(calls.map(({ response, error }) => response?.status ?? error)).toEqual([200])
    for (const { body } of server.requests) expect(new TextDecoder().decode(await body)).toBe('body')
  })

  it('R123 R98 a stream that has been sent is not waited with: its error comes out', async () => {
    const started = start({ offline: 'wait' }, [networkError()])
    page.isOnline = false
    const body = new Blob(['x']).stream()
    const calls = callAll(started, ['/1'], { method: 'PUT', body, duplex: 'half' } as RequestInit)
    await started.clock.advanceAsync(10)
    expect(calls[0]!.error).toMatchObject({ message: 'fetch failed' })
    page.isOnline = true
    page.emit('online')
  })

  it('R123 R79 a call that has been sent is not given up for waiting long before it was', async () => {
    const started = start({ offline: 'wait', maxQueueTimeMs: 1000 }, [networkError(), tooMany(5)])
    page.isOnline = false
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(2000)
    callAll(started, ['/2'], post)
    await started.clock.advanceAsync(10)
    page.isOnline = true
    page.emit('online')
    await started.clock.advanceAsync(10_000)
    expect(statusesOf(calls)).toEqual([200])
  })
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
