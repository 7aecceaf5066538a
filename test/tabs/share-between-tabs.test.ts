import {
  createRateLimitedFetch,
  type FetchEvent,
  type RateLimitedFetch,
  type RateLimitedFetchOptions,
} from 'lull/fetch'
import { shareBetweenTabs, type ShareBetweenTabsOptions } from 'lull/tabs'
import { createManualClock, type ManualClock } from 'lull/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createBucketServer } from '../../bench/race/bucket-server.js'
import { createRandom } from '../../bench/race/scenarios.js'
import {
  createFakeServer,
  tooMany,
  type Answer,
  type FakeServer,
  type Received,
} from '../fetch/fixtures/fake-server.ts'
import { A, paths, watch, type Outcome } from '../fetch/fixtures/start.ts'
import { createFakeBrowser, LATENCY_MS, type FakeBrowser, type FakeTab } from './fake-tabs.ts'

/** As of 2026: `until` is an instant of the wall clock. */
const WALL = 1_800_000_000_000
const CHANNEL = `lull:2:${A}`

interface Opened {
  tab: FakeTab
  f: RateLimitedFetch
  server: FakeServer
  events: FetchEvent[]
  call: (path?: string) => Outcome
}

let clock: ManualClock
let browser: FakeBrowser
let fetches: RateLimitedFetch[] = []

beforeEach(() => {
  clock = createManualClock()
  clock.setWall(WALL)
  browser = createFakeBrowser(clock)
  fetches = []
})

afterEach(() => {
  for (const f of fetches) f.dispose()
  expect(browser.openChannels()).toBe(0)
})

/** Opens a tab whose requests go to a server of its own, so that it shows which tab has sent what. */
function open(
  answers: readonly Answer[] | ((received: Received, index: number) => Answer) = [],
  options: RateLimitedFetchOptions = {},
  sharing: ShareBetweenTabsOptions = {},
): Opened {
  const tab = browser.open()
  const server = createFakeServer(clock, answers)
  const events: FetchEvent[] = []
  const f = createRateLimitedFetch({
    fetch: server.fetch,
    clock,
    random: () => 0,
    onEvent: (event) => events.push(event),
    policies: [tab.share(sharing)],
    ...options,
  })
  fetches.push(f)
  return { tab, f, server, events, call: (path = '/') => watch(f(A + path), clock) }
}

const ignored = ({ events }: Opened): unknown[] =>
  events.flatMap((event) => (event.type === 'ignored' ? [event.from] : []))

describe('a pause', () => {
  it('closes the gate of all tabs that use the origin, and none sends into it', async () => {
    const [a, b] = [open([tooMany(3)]), open()]
    b.call()
    await clock.advanceAsync(300)
    a.call()
    await clock.advanceAsync(50)
    b.call()
    await clock.advanceAsync(2900)
    const { until } = a.f.snapshot(A)!.gate
    expect(b.f.snapshot(A)!.gate).toMatchObject({ open: false, until, source: 'shared' })
    expect(b.server.at()).toHaveLength(1)
    await clock.advanceAsync(1000)
    expect(b.server.at()[1]).toBeGreaterThanOrEqual(until!)
    expect(b.server.requests).toHaveLength(2)
  })

  it('outlives a reload; the tab opened meanwhile shows the rest', async () => {
    const a = open([tooMany(30)])
    a.call()
    await clock.advanceAsync(10)
    a.tab.emit('pagehide')
    a.tab.crash()
    await clock.advanceAsync(9990)
    const b = open()
    b.call()
    expect(b.f.snapshot().gate).toMatchObject({ open: false, source: 'shared' })
    expect(b.f.snapshot().gate.remainingMs).toBeCloseTo(20_010, 0)
    await clock.advanceAsync(20_009)
    expect(b.server.requests).toEqual([])
    await clock.advanceAsync(100)
    expect(b.server.requests).toHaveLength(1)
  })

  it('that is over is forgotten', async () => {
    const a = open([tooMany(3)], { maxRetries: 0 })
    a.call()
    await clock.advanceAsync(5000)
    a.f.dispose()
    expect(browser.items.size).toBe(0)
    const b = open()
    b.call()
    expect(b.server.requests).toHaveLength(1)
    await clock.advanceAsync(10)
  })

  it('ends in each tab by itself with reset', async () => {
    const a = open([tooMany(30)], { maxRetries: 0 })
    a.call()
    await clock.advanceAsync(10)
    a.f.reset()
    a.call()
    expect(a.server.requests).toHaveLength(2)
    await clock.advanceAsync(10)
  })

  it('does not reach another name, another origin, or another version of the format', async () => {
    const [a, b] = [open([tooMany(30)], { maxRetries: 0 }), open([], {}, { name: 'other' })]
    b.call()
    a.call()
    await clock.advanceAsync(50)
    expect(b.f.snapshot(A)!.gate.open).toBe(true)
    void watch(a.f('https://b.test/'), clock)
    expect(a.f.snapshot('https://b.test')!.gate.open).toBe(true)
    browser.items.set(`lull:3:${A}`, 'a later format')
    browser.say(`lull:3:${A}`, { a: 'later format' })
    await clock.advanceAsync(50)
    expect(ignored(a)).toEqual([])
    expect(browser.items.get(`lull:3:${A}`)).toBe('a later format')
  })
})

describe('a named limit', () => {
  const fields = (left: number): Answer => ({
    status: 200,
    headers: { ratelimit: `"a";r=${left};t=30`, 'ratelimit-policy': '"a";q=5;w=60' },
  })

  it('holds for all tabs together', async () => {
    const [a, b] = [open([fields(3)]), open()]
    b.call()
    await clock.advanceAsync(300)
    a.call()
    await clock.advanceAsync(50)
    for (const path of paths(5)) b.call(path)
    await clock.advanceAsync(10_000)
    expect(b.server.requests).toHaveLength(1 + 3)
  })

  it('that is used up is a shared pause for as long as it was named, also after a reload', async () => {
    const a = open([fields(0)])
    a.call()
    await clock.advanceAsync(10)
    a.tab.emit('pagehide')
    a.tab.crash()
    await clock.advanceAsync(10_000)
    const b = open()
    b.call()
    expect(b.f.snapshot().gate).toMatchObject({ open: false, source: 'shared' })
    await clock.advanceAsync(19_999)
    expect(b.server.requests).toEqual([])
    await clock.advanceAsync(10)
    expect(b.server.requests).toHaveLength(1)
  })

  it('outlives a reload', async () => {
    const a = open([fields(2)])
    a.call()
    await clock.advanceAsync(10)
    a.tab.emit('pagehide')
    a.tab.crash()
    const b = open()
    for (const path of paths(4)) b.call(path)
    await clock.advanceAsync(20_000)
    expect(b.server.requests).toHaveLength(2)
    await clock.advanceAsync(20_000)
    expect(b.server.requests).toHaveLength(4)
  })
})

describe('one server behind several tabs', () => {
  /** Opens tabs on one server, which takes 20 requests a second, 10 at once. */
  function share(
    tells: { rateLimit?: boolean; retryAfter?: boolean },
    count: number,
    sharing?: ShareBetweenTabsOptions,
  ) {
    vi.spyOn(Math, 'random').mockImplementation(createRandom(1))
    onTestFinished(() => void vi.restoreAllMocks())
    const bucket = createBucketServer({ tells }, clock.now)
    const start = (): Opened =>
      open(
        () => ({ ...bucket.receive(), latencyMs: 25 }),
        { maxRetries: Infinity, maxWaitMs: Infinity },
        sharing,
      )
    return { start, tabs: Array.from({ length: count }, start) }
  }
  const refusals = (tabs: readonly Opened[]): number =>
    tabs.flatMap(({ events }) => events).filter(({ type }) => type === 'throttled').length

  it('is not flooded by tabs that were idle and begin at once', async () => {
    // What a tab stores reaches the other processes late.
    const { tabs } = share({ rateLimit: true }, 3, { storage: null })
    for (const { call } of tabs) {
      call()
      await clock.advanceAsync(100)
    }
    for (const { call } of tabs) for (const path of paths(14)) call(path)
    await clock.advanceAsync(5000)
    expect(refusals(tabs)).toBeLessThanOrEqual(3)
    expect(tabs.flatMap(({ server }) => server.at())).toHaveLength(45 + refusals(tabs))
  })

  it('is not flooded by a tab that opens when the others have learnt its rate', async () => {
    const { tabs, start } = share({ retryAfter: true }, 2)
    for (const { call } of tabs) for (const path of paths(600)) call(path)
    await clock.advanceAsync(20_000)
    const before = refusals(tabs)
    tabs.push(start())
    for (const path of paths(300)) tabs[2]!.call(path)
    await clock.advanceAsync(20_000)
    expect(refusals(tabs) - before).toBeLessThanOrEqual(6)
  })
})

describe('a tab that is gone', () => {
  it.each([
    ['still says so', () => undefined],
    ['has crashed', (b: Opened) => b.tab.crash()],
  ] as const)('but %s: after 5 s its requests hold nobody back', async (_, go) => {
    const limited = (latencyMs: number): Answer => ({
      status: 200,
      headers: { 'ratelimit-policy': '"a";q=20;w=1', ratelimit: '"a";r=9;t=1' },
      latencyMs,
    })
    const a = open(() => limited(10))
    a.call()
    await clock.advanceAsync(100)
    const b = open(() => limited(100_000), { concurrency: 12 })
    for (const path of paths(20)) b.call(path)
    await clock.advanceAsync(300)
    expect(b.server.inFlight).toBe(9)
    for (const path of paths(400)) a.call(path)
    await clock.advanceAsync(100)
    go(b)
    b.f.pause()
    await clock.advanceAsync(5000)
    const before = a.server.requests.length
    await clock.advanceAsync(4000)
    // One a second, if all of them counted.
    expect(a.server.requests.length - before).toBeGreaterThan(40)
    await clock.advanceAsync(200_000)
  })

  const busy = async (): Promise<[Opened, Opened]> => {
    const bucket = createBucketServer({ tells: { rateLimit: true } }, clock.now)
    const answer = (): Answer => ({ ...bucket.receive(), latencyMs: 25 })
    const tabs: [Opened, Opened] = [open(answer), open(answer)]
    for (const { call } of tabs) for (const path of paths(400)) call(path)
    await clock.advanceAsync(5000)
    return tabs
  }
  /** Requests in the 4 s from then on; the server takes 20 a second. */
  const sentFrom = ({ server }: Opened, fromMs: number): number =>
    server.at().filter((at) => at >= fromMs && at < fromMs + 4000).length

  it('has its share as long as it is there', async () => {
    const [a, b] = await busy()
    const sent = [sentFrom(a, 1000), sentFrom(b, 1000)] as const
    expect(Math.abs(sent[0] - sent[1])).toBeLessThanOrEqual(2)
    expect(sent[0] + sent[1]).toBeGreaterThanOrEqual(72)
    expect([a, b].flatMap(({ server }) => server.early)).toEqual([])
  })

  it.each([
    ['crashes', (b: Opened) => b.tab.crash()],
    ['freezes', (b: Opened) => b.tab.freeze()],
    ['goes into the back/forward cache', (b: Opened) => b.tab.emit('pagehide')],
  ])('gives its share to the others within 5 s when it %s', async (_, go) => {
    const [a, b] = await busy()
    go(b)
    // Its timers stand still.
    b.f.pause()
    await clock.advanceAsync(9000)
    expect(sentFrom(a, 10_000)).toBeGreaterThanOrEqual(76)
  })

  it('closes its channel as it goes into the back/forward cache, and listens again when it is back', async () => {
    const a = open()
    a.call()
    await clock.advanceAsync(10)
    expect(browser.openChannels()).toBe(1)
    expect(a.tab.heard()).toEqual(['pagehide', 'pageshow'])
    a.tab.emit('pagehide')
    expect(browser.openChannels()).toBe(0)
    a.tab.emit('pageshow')
    expect(browser.openChannels()).toBe(1)
    a.f.dispose()
    expect(a.tab.heard()).toEqual([])
  })

  it('reads what is stored before it sends, if its timers run first after a freeze', async () => {
    let isFrozen = false
    const held: (() => void)[] = []
    const after: ManualClock['after'] = (ms, callback) =>
      clock.after(ms, () => (isFrozen ? held.unshift(callback) : callback()))
    const [a, b] = [open([tooMany(30)]), open([tooMany(2)], { clock: { ...clock, after } })]
    b.call()
    await clock.advanceAsync(100)
    b.tab.freeze()
    isFrozen = true
    await clock.advanceAsync(4000)
    a.call()
    await clock.advanceAsync(4000)
    isFrozen = false
    for (const callback of held) {
      callback()
      await clock.advanceAsync(0)
    }
    expect(b.server.requests).toHaveLength(1)
    expect(b.f.snapshot(A)!.gate).toMatchObject({ open: false, source: 'shared' })
  })

  it('sends nothing into a pause that it could not hear of', async () => {
    const [a, b] = [open([200, tooMany(30)]), open()]
    b.call()
    a.call()
    await clock.advanceAsync(300)
    b.tab.freeze()
    a.call()
    await clock.advanceAsync(9000)
    b.call()
    expect(b.f.snapshot(A)!.gate.open).toBe(false)
    expect(b.server.requests).toHaveLength(1)
  })
})

describe('what is none of the format', () => {
  const valid = [0.5, WALL, 0, 0, 0, 0, 0, 0, 0, 0, []]
  const changed = (index: number, value: unknown): unknown[] => valid.with(index, value as number)
  const broken: unknown[] = [
    null,
    'text',
    {},
    [],
    valid.slice(1),
    [...valid, 0],
    ...valid.flatMap((_, index) => [-1, '1', null, {}].map((value) => changed(index, value))),
    changed(3, 1e9),
    changed(4, 1e9),
    changed(9, WALL).with(10, [['no name\n', '']]),
  ]

  it.each([...broken, changed(8, NaN), changed(8, Infinity)])(
    'is ignored as a message, and shows in an event: %j',
    async (value) => {
      const a = open()
      a.call()
      await clock.advanceAsync(10)
      const before = a.f.snapshot(A)
      browser.say(CHANNEL, value)
      await clock.advanceAsync(LATENCY_MS)
      expect(ignored(a)).toEqual(['channel'])
      expect(a.f.snapshot(A)).toBe(before)
      a.call()
      expect(a.server.requests).toHaveLength(2)
      await clock.advanceAsync(10)
    },
  )

  it.each([...broken.map((value) => JSON.stringify(value)), '{', '[1e999]'])(
    'is ignored as a stored value, and shows in an event: %s',
    async (text) => {
      browser.items.set(CHANNEL, text)
      const a = open()
      a.call()
      expect(ignored(a)).toEqual(['storage'])
      expect(a.server.requests).toHaveLength(1)
      await clock.advanceAsync(10)
    },
  )

  it('changes nothing where the listener throws, which is reported', async () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    browser.items.set(CHANNEL, '{')
    const onEvent = ({ type }: FetchEvent): void => {
      if (type === 'ignored') throw new Error(type)
    }
    const call = open([], { onEvent }).call()
    await clock.advanceAsync(10)
    expect(call.state).toBe('resolved')
    expect(report).toHaveBeenCalledTimes(1)
    vi.unstubAllGlobals()
  })

  it('can delay by maxGateMs at most, though it is of the format', async () => {
    browser.items.set(CHANNEL, JSON.stringify(changed(8, 1e15)))
    const a = open([], { maxGateMs: 10_000 })
    a.call()
    await clock.advanceAsync(9999)
    expect(a.server.requests).toEqual([])
    await clock.advanceAsync(10_000)
    expect(a.server.requests).toHaveLength(1)
  })

  it('delays by a second at most if it claims a thousand tabs whose turn it is', async () => {
    const a = open([tooMany(3)])
    a.call()
    await clock.advanceAsync(2900)
    for (let tab = 1; tab <= 1000; tab++)
      browser.say(
        CHANNEL,
        changed(0, tab / 2000)
          .with(1, WALL + 2900)
          .with(2, 1),
      )
    await clock.advanceAsync(1200)
    expect(a.server.requests).toHaveLength(2)
  })

  it.each([0, 1, WALL, WALL + 1000])(
    'never opens a gate or makes a pause shorter: until %s',
    async (until) => {
      const a = open([tooMany(30)])
      a.call()
      await clock.advanceAsync(10)
      browser.say(CHANNEL, changed(8, until))
      await clock.advanceAsync(LATENCY_MS)
      expect(a.f.snapshot(A)!.gate.until).toBe(30_010)
    },
  )
})

describe('without a platform', () => {
  const failing = (name: 'getItem' | 'setItem' | 'removeItem') => ({
    ...browser.storage,
    [name]: () => {
      throw new DOMException('full or forbidden', 'QuotaExceededError')
    },
  })

  it.each(['getItem', 'setItem'] as const)('works in each tab by itself where %s throws', async (name) => {
    const a = open([tooMany(3)], {}, { storage: failing(name) })
    const call = a.call()
    await clock.advanceAsync(4000)
    expect(a.server.at()).toEqual([0, 3010])
    expect(call.response!.status).toBe(200)
    expect(new Set(ignored(a))).toEqual(new Set(['storage']))
  })

  it('works without storage, or where reading the global throws', async () => {
    const a = open([tooMany(3)], {}, { storage: null })
    a.call()
    vi.stubGlobal('localStorage', undefined)
    const b = open([tooMany(3)], {}, { storage: undefined })
    b.call()
    await clock.advanceAsync(5000)
    expect([...ignored(a), ...ignored(b)]).toEqual([])
    expect([a, b].map(({ server }) => server.early)).toEqual([[], []])
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get() {
        throw new DOMException('forbidden', 'SecurityError')
      },
    })
    const c = open([], {}, { storage: undefined })
    c.call()
    await clock.advanceAsync(50)
    expect(c.server.requests).toHaveLength(1)
    expect(new Set(ignored(c))).toEqual(new Set(['storage']))
  })

  it('works without BroadcastChannel, or where it throws: then only storage shares', async () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    const a = open([tooMany(3)])
    a.call()
    await clock.advanceAsync(10)
    vi.stubGlobal('BroadcastChannel', function () {
      throw new DOMException('forbidden', 'SecurityError')
    })
    const b = open()
    b.call()
    expect(ignored(b)).toEqual(['channel'])
    expect(b.f.snapshot(A)!.gate).toMatchObject({ open: false, source: 'shared' })
    await clock.advanceAsync(5000)
  })

  it('reads no clock and touches no storage before the first call', () => {
    const touched = vi.fn()
    const forbidden = new Proxy({}, { get: () => void touched() })
    createRateLimitedFetch({
      clock: forbidden as ManualClock,
      policies: [shareBetweenTabs({ storage: forbidden as Storage })],
    })
    expect(touched).not.toHaveBeenCalled()
    expect(browser.openChannels()).toBe(0)
  })
})

it('leaves no timer, channel or listener behind when no call waits and the fetch is disposed of', async () => {
  const a = open([200, 200])
  a.call()
  await clock.advanceAsync(10)
  expect(clock.pending).toBe(0)
  a.f.dispose()
  expect(a.tab.heard()).toEqual([])
})
