import { beforeEach, describe, expect, it, vi } from 'vitest'
import { tokenBucket, type Rule } from 'lull/core'
import { limitRate, pageLifecycle, type ComposeOptions, type PageLifecycleOptions } from 'lull/fetch'
import { createFieldClock } from '../../field/clock.ts'
import { createPage, SIGNS, type Page } from '../fixtures/fake-page.ts'
import { networkError, tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, compose, endOf, paths, play, statusesOf, watch } from '../fixtures/start.ts'

const start = (
  { hidden, offline, rate, ...options }: ComposeOptions & PageLifecycleOptions & { rate?: Rule } = {},
  answers?: Parameters<typeof compose>[2],
) => compose([pageLifecycle({ hidden, offline }), ...(rate ? [limitRate(rate)] : [])], options, answers)

let page: Page

beforeEach(() => void (page = createPage()))

describe('offline', () => {
  it('counts as any other network error by default', async () => {
    const started = start({}, () => networkError())
    page.isOnline = false
    const calls = await play(started, '/1 +1000')
    expect(calls[0]!.state).toBe('rejected')
    expect(started.server.requests).toHaveLength(3)
  })

  it('by default, the body is not copied for the last attempt', () => {
    const clone = vi.spyOn(Request.prototype, 'clone')
    const { f } = start({ maxRetries: 0 })
    void f(new Request(A, { method: 'PUT', body: 'text' }))
    expect(clone).not.toHaveBeenCalled()
  })

  it('with wait, the call waits for the online event without using an attempt', async () => {
    const lost = networkError()
    const { f, server, clock } = start({ offline: 'wait', maxRetries: 1 }, [lost, lost, lost, 500])
    page.isOnline = false
    const calls = await play({ f, clock }, '/1 +3600000')
    expect(server.requests).toHaveLength(1)
    expect(f.snapshot(A)).toMatchObject({ sleeping: 1, queued: 0, inFlight: 0 })
    for (let time = 0; time < 3; time++) {
      const sent = server.requests.length
      page.emit('online') // The page is still offline.
      await clock.advanceAsync(100)
      expect(server.requests).toHaveLength(sent)
      page.isOnline = true
      page.emit('online')
      page.isOnline = false
      await clock.advanceAsync(1000)
    }
    // All of it counts as one attempt. One retry is left, for the 500: its server was reached.
    expect(server.requests).toHaveLength(5)
    expect(statusesOf(calls)).toEqual([200])
  })

  it('with wait, the online event does not shorten the backoff of another retry', async () => {
    const started = start({ offline: 'wait', random: () => 1 }, [500])
    await play(started, '/1 +100')
    page.emit('online')
    await started.clock.advanceAsync(1000)
    expect(started.server.at()).toEqual([0, 510])
  })

  it.each(['a Request', 'a form'])('with wait, %s waits with its body on the last attempt', async (what) => {
    const { f, server, clock } = start({ offline: 'wait', maxRetries: 0 }, [networkError()])
    page.isOnline = false
    const request = new Request(A, { method: 'PUT', body: 'text' })
    const call = watch(what === 'a form' ? f(A, { method: 'PUT', body: new FormData() }) : f(request), clock)
    await clock.advanceAsync(1000)
    page.isOnline = true
    page.emit('online')
    await clock.advanceAsync(1000)
    expect([endOf(call), server.requests.length]).toEqual(['200@1010', 2])
  })
})

describe('policies changed by configure', () => {
  it('a removed policy releases calls that wait for the network', async () => {
    const started = start({ offline: 'wait' }, [networkError()])
    page.isOnline = false
    const calls = await play(started, '/1 +100')
    started.f.configure({ policies: [] })
    await started.clock.advanceAsync(100)
    expect(statusesOf(calls)).toEqual([200])
    expect(page.heard).toEqual(new Set())
  })

  it('an added policy holds queued calls until the page is shown', async () => {
    const started = start({ concurrency: 1 })
    const calls = callAll(started, paths(2))
    page.isVisible = false
    started.f.configure({ policies: [pageLifecycle({ hidden: 'pause' })] })
    await started.clock.advanceAsync(100)
    expect(statusesOf(calls)).toEqual([200, undefined])
    page.show(true)
    await started.clock.advanceAsync(100)
    expect(statusesOf(calls)).toEqual([200, 200])
  })
})

describe('page wake-up', () => {
  it.each(SIGNS)('%s: a gate whose time passed unnoticed opens at once, with one probe', async (type) => {
    const { f, server, clock } = start({ random: () => 0.5 }, [tooMany(30)])
    const calls = await play({ f, clock }, '/0 +10 *10')
    // An hour passes on the wall clock only: the timers stop.
    clock.setWall(clock.wall() + 3_600_000)
    page.emit(type)
    await clock.advanceAsync(1000)
    expect(server.at().slice(0, 5)).toEqual([0, 10, 20, 20, 30])
    expect(new Set(statusesOf(calls))).toEqual(new Set([200]))
  })

  it('listens only while a call waits, not for one that bypasses queue and gate', async () => {
    const started = start({ concurrency: 1 })
    const heard: Set<string>[] = []
    for (const steps of ['pause /1', 'resume +0', '/2 /3', '+10', '+10']) {
      await play(started, steps)
      heard.push(page.heard)
    }
    watch(started.f(A, { rateLimit: false }), started.clock)
    heard.push(page.heard)
    const [all, none] = [new Set(SIGNS), new Set()]
    expect(heard).toEqual([all, none, all, all, none, none])
  })
})

it('a hidden page sends nothing until it is shown, if configured to pause', async () => {
  const started = start({ hidden: 'pause', rate: tokenBucket({ ratePerSecond: 10, burst: 1 }) }, [500])
  const calls = callAll(started, ['/1'])
  page.show(false)
  calls.push(...(await play(started, '/2 /3 +10000')))
  expect(started.clock.pending).toBe(0)
  page.show(true)
  await started.clock.advanceAsync(1000)
  expect(statusesOf(calls)).toEqual([200, 200, 200])
  expect(started.server.at()).toEqual([0, 10_000, 10_100, 10_200])
})

it('a hidden page does not hold a call that a listener to events aborts', async () => {
  const controller = new AbortController()
  const onEvent: ComposeOptions['onEvent'] = ({ type }) => {
    if (type === 'drop') controller.abort()
  }
  const started = start({ hidden: 'pause', maxRetries: 0, concurrency: 1, onEvent }, [tooMany(1000)])
  for (const signal of [null, null, controller.signal]) watch(started.f(A, { signal }), started.clock)
  page.show(false)
  await started.clock.advanceAsync(100)
  expect(page.heard).toEqual(new Set())
})

it('in a worker that is offline no events arrive and no call waits', async () => {
  vi.unstubAllGlobals()
  vi.stubGlobal('navigator', { onLine: false })
  const started = start({ hidden: 'pause', offline: 'wait', concurrency: 1 }, [networkError()])
  const calls = await play(started, '*2 +100')
  expect(statusesOf(calls)).toEqual([200, 200])
})

it.each([1000, 60_000])(
  'in a hidden page with timers at multiples of %d ms, sends the allowed calls at each late turn, and at its pace when the page is back',
  async (grid) => {
    const clock = createFieldClock(0)
    const reach = (at: number) => clock.run(() => false, at)
    const sent: number[] = []
    const { f } = compose([pageLifecycle(), limitRate(tokenBucket({ ratePerSecond: 10, burst: 2 }))], {
      clock,
      fetch() {
        sent.push(clock.now())
        return Promise.resolve(new Response(null))
      },
    })
    clock.hide(grid)
    page.show(false)
    const calls = Array.from({ length: 8 }, () => f(A))
    await reach(2 * grid + 50)
    clock.hide(0)
    page.show(true)
    await reach(3 * grid + 2000)
    expect(sent).toEqual([0, 0, grid, grid, 2 * grid, 2 * grid, 2 * grid + 100, 2 * grid + 200])
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(clock.pending).toBe(0)
  },
)
