import {
  createRateLimitedFetch,
  type FetchEvent,
  type Policy,
  type PolicyHooks,
  type RateLimitedFetchOptions,
} from 'lull/fetch'
import { shareBetweenTabs, type ShareBetweenTabsOptions } from 'lull/tabs'
import { createManualClock, type ManualClock } from 'lull/testing'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createBucketServer } from '../../bench/race/bucket-server.js'
import { createRandom } from '../../bench/random.js'
import { createFakeServer, tooMany, type Answer } from '../fetch/fixtures/fake-server.ts'
import { A, paths, watch } from '../fetch/fixtures/start.ts'
import { createFakeBrowser, LATENCY_MS, letTimeGoOn, UNREADABLE, type FakeBrowser } from './fake-tabs.ts'

/** The wall clock reads 2026; `until` is a wall-clock instant. */
const WALL = 1_800_000_000_000
const CHANNEL = `lull:4:${A}`

type Opened = ReturnType<typeof open>

let clock: ManualClock
let browser: FakeBrowser

beforeEach(() => {
  clock = createManualClock()
  clock.setWall(WALL)
  browser = createFakeBrowser(clock)
  onTestFinished(() => expect(browser.openChannels()).toBe(0))
})

/** Opens a tab whose requests go to a separate server, so that tests see which tab sent a request. */
function open(
  answers?: Parameters<typeof createFakeServer>[1],
  options: RateLimitedFetchOptions = {},
  sharing: ShareBetweenTabsOptions = {},
) {
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
  onTestFinished(f.dispose)
  return { tab, f, server, events, call: (path = '/') => watch(f(A + path), clock) }
}

const named = (left: number, latencyMs = 10): Answer => ({
  status: 200,
  latencyMs,
  headers: { ratelimit: `"a";r=${left};t=30`, 'ratelimit-policy': '"a";q=5;w=60' },
})

const ignored = ({ events }: Opened): unknown[] =>
  events.flatMap((event) => (event.type === 'ignored' ? [event.from] : []))

/** Makes calls in tabs and passes ms, in order: `a 300 b*5` is a call of `a`, and five of `b` 300 ms later. */
async function play(tabs: Record<string, Opened>, steps: string): Promise<void> {
  for (const step of steps.split(' ')) {
    const [name, count = 1] = step.split('*')
    if (/^\d/.test(step)) await clock.advanceAsync(Number(step))
    else for (const path of paths(Number(count))) tabs[name!]!.call(path)
  }
}

function leave({ tab }: Opened): void {
  tab.emit('pagehide')
  tab.crash()
}

/** Gives the tab a policy that counts the other tabs, whose member is the returned mock. */
function spyOnPolicy<Name extends 'closed' | 'sent' | 'ended'>({ f, tab }: Opened, name: Name) {
  const spy = vi.fn<NonNullable<PolicyHooks[Name]>>()
  f.configure({ policies: [() => ({ countsOthers: true, [name]: spy }), tab.share()] })
  return spy
}

describe('a pause', () => {
  it('starts the cooldown in all tabs that use the origin, and none sends during it', async () => {
    const [a, b] = [open([tooMany(3)]), open()]
    await play({ a, b }, 'b 300 a 50 b 2900')
    const { until } = a.f.snapshot(A)!.gate
    expect(b.f.snapshot(A)!.gate).toMatchObject({ open: false, until, source: 'shared' })
    expect(b.server.at()).toHaveLength(1)
    await clock.advanceAsync(1000)
    expect(b.server.at()[1]).toBeGreaterThanOrEqual(until!)
    expect(b.server.requests).toHaveLength(2)
  })

  it('that reset has ended stays so, although another tab waits for its end', async () => {
    const [a, b] = [open([tooMany(30), 200, tooMany(40)], { maxRetries: 0 }), open()]
    await play({ a, b }, 'b 50 a 300 b 2000')
    for (let resets = 0; resets < 2; resets++) a.f.reset()
    await play({ a, b }, '2000 a 100')
    expect(a.f.snapshot(A)!.gate.open).toBe(true)
    b.f.reset()
    await play({ a, b }, '2000')
    expect([a.server.requests.length, b.server.requests.length]).toEqual([2, 2])
    await play({ a, b }, 'a 100')
    expect(b.f.snapshot(A)!.gate.open).toBe(false)
  })

  it.each([
    ['a reset', 0],
    ['a reset and a set-back of the wall clock', 3_600_000],
  ])(
    'that begins after %s applies in all tabs, although it ends before the forgotten one',
    async (_, backMs) => {
      const [a, b] = [open([tooMany(30)], { maxRetries: 0 }), open([200, tooMany(10)], { maxRetries: 0 })]
      await play({ a, b }, 'b 50 a 300')
      for (const { f } of [a, b]) f.reset()
      clock.setWall(WALL + clock.now() - backMs)
      await play({ a, b }, '1000 b 100')
      expect(a.f.snapshot(A)!.gate).toMatchObject({ open: false, until: 11_360, source: 'shared' })
    },
  )

  it.each(['open', 'closed'])('lasts as long if the wall clock is set back, other tab %s', async (state) => {
    const a = open([tooMany(3)])
    await play({ a }, 'a 1000')
    if (state === 'closed') leave(a)
    clock.setWall(WALL - 3_600_000)
    const b = open()
    await play({ a, b }, 'a b 4000')
    expect(b.server.requests).toHaveLength(1)
  })

  it('applies in all tabs when the wall clock was set back since the one before', async () => {
    const a = open([tooMany(1), tooMany(30)], { maxRetries: 0 })
    const b = open([{ status: 200, latencyMs: 100_000 }])
    await play({ a, b }, 'b 100 a 2000')
    clock.setWall(WALL - 3_600_000)
    await play({ a, b }, 'a 300 b')
    expect(a.server.requests).toHaveLength(2)
    expect(b.f.snapshot(A)!.gate.source).toBe('shared')
    expect(b.server.requests).toHaveLength(1)
  })

  it.each([
    ['after a refusal', tooMany(30)],
    ['after a response that says that none is left', named(0)],
  ])('survives a reload %s; a tab opened meanwhile shows the rest', async (_, answer) => {
    const a = open([answer])
    await play({ a }, 'a 10')
    leave(a)
    await clock.advanceAsync(9990)
    const b = open()
    b.call()
    expect(b.f.snapshot().gate).toMatchObject({ open: false, source: 'shared' })
    expect(b.f.snapshot().gate.remainingMs).toBeCloseTo(20_010, 0)
    await clock.advanceAsync(20_009)
    expect(b.server.requests).toEqual([])
    await clock.advanceAsync(10)
    expect(b.server.requests).toHaveLength(1)
  })

  it('is forgotten after its end', async () => {
    const a = open([tooMany(3)], { maxRetries: 0 })
    await play({ a }, 'a 5000')
    a.f.dispose()
    expect(browser.items.size).toBe(0)
    const b = open()
    b.call()
    expect(b.server.requests).toHaveLength(1)
  })

  it('does not reach another name, another origin, or another version of the format', async () => {
    const [a, b] = [open([tooMany(30)], { maxRetries: 0 }), open([], {}, { name: 'other' })]
    await play({ a, b }, 'b a 50')
    expect(b.f.snapshot(A)!.gate.open).toBe(true)
    void watch(a.f('https://b.test/'), clock)
    expect(a.f.snapshot('https://b.test')!.gate.open).toBe(true)
    browser.items.set(`lull:5:${A}`, 'a later format')
    browser.postFromOther(`lull:5:${A}`, { a: 'later format' })
    await clock.advanceAsync(50)
    expect(ignored(a)).toEqual([])
    expect(browser.items.get(`lull:5:${A}`)).toBe('a later format')
  })
})

describe('a named limit', () => {
  it.each([0, 3_600_000])('holds for all tabs if the wall clock is set back by %d ms', async (backMs) => {
    const [a, b] = [open([200, named(4), named(3)]), open([named(20)])]
    await play({ a, b }, 'a b 300')
    clock.setWall(WALL + clock.now() - backMs)
    await play({ a, b }, 'a 300 a 300 b*5 10000')
    expect(b.server.requests).toHaveLength(1 + 3)
  })

  it('holds when responses to two tabs come in another order than their requests', async () => {
    const a = open([200, named(3, 50), named(1, 500)])
    const b = open([200, named(2), named(0)])
    await play({ a, b }, 'a b 300 a 10 b 20 a 30 b*3 10000')
    expect(a.server.requests.length + b.server.requests.length).toBe(2 + 4)
  })

  it.each([
    ['a reload', (a: Opened) => a.tab.emit('pagehide')],
    ['a crash', () => undefined],
    [
      'a reload and a wall clock that is set back',
      (a: Opened) => {
        a.tab.emit('pagehide')
        clock.setWall(WALL - 3_600_000)
      },
    ],
  ])('survives %s', async (_, end) => {
    const a = open([named(2)])
    await play({ a }, 'a 10')
    expect(clock.pending).toBe(0)
    end(a)
    a.tab.crash()
    const b = open()
    await play({ b }, 'b*4 20000')
    expect(b.server.requests).toHaveLength(2)
    await clock.advanceAsync(20_000)
    expect(b.server.requests).toHaveLength(4)
  })
})

describe('one server behind several tabs', () => {
  /** Opens tabs on one server that allows 20 requests a second, 10 at once. */
  function share(
    tells: { rateLimit?: boolean; retryAfter?: boolean },
    count: number,
    sharing?: ShareBetweenTabsOptions,
    limit?: { ratePerSecond: number; burst: number },
  ) {
    vi.spyOn(Math, 'random').mockImplementation(createRandom(1))
    const bucket = createBucketServer({ tells, ...limit }, clock.now)
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

  it('is not flooded by idle tabs that start at once', async () => {
    // Stored values reach the other processes late.
    const { tabs } = share({ rateLimit: true }, 3, { storage: null })
    for (const a of tabs) await play({ a }, 'a 100')
    for (const a of tabs) await play({ a }, 'a*14')
    await clock.advanceAsync(5000)
    expect(refusals(tabs)).toBeLessThanOrEqual(3)
    expect(tabs.flatMap(({ server }) => server.at())).toHaveLength(45 + refusals(tabs))
  })

  it.each([
    [137, {}],
    [3000, {}],
    // Its first requests are sent during the cooldown of the first.
    [500, { storage: null }],
  ])('has the pace of one tab although the second begins %d ms later: %o', async (laterMs, sharing) => {
    letTimeGoOn(clock)
    const { tabs } = share({ retryAfter: true }, 2, sharing, { ratePerSecond: 5, burst: 5 })
    for (const a of tabs) await play({ a }, `a*120 ${laterMs}`)
    await clock.advanceAsync(52_000)
    expect(tabs.map(({ f }) => f.snapshot().queued)).toEqual([0, 0])
    // One tab gets 13.
    expect(refusals(tabs)).toBeLessThanOrEqual(26)
  })

  it("waits for the `readyAt` of another tab's policy that counts others and cooldowns", async () => {
    let nextAt = 0
    const [a, b] = [open([tooMany(1)]), open()]
    const policy: Policy = () => ({
      countsOthers: true,
      closed: () => undefined,
      readyAt: () => nextAt,
      sent: (_, now) => void (nextAt = now + 1000),
    })
    a.f.configure({ policies: [policy, a.tab.share()] })
    await play({ a }, 'a 3000')
    const from = browser.posted.length
    const [own] = browser.posted
    await play({ b }, 'b 100')
    // The first introduces itself, and replies to the request, but not to the response.
    expect(browser.posted.slice(from).filter(([, { id }]) => id === own![1].id)).toHaveLength(2)
    await play({ b }, 'b 2000')
    const [first, second] = b.server.at()
    expect(second! - first!).toBeGreaterThanOrEqual(1000)
  })

  it('counts a cooldown that another tab stores before its message comes', async () => {
    const [a, b] = [open([200, tooMany(3)]), open()]
    const closed = spyOnPolicy(b, 'closed')
    // The last response of `b` comes right after that of `a`: then it reads the storage.
    await play({ a, b }, 'a b 100 a b 25')
    expect(closed.mock.calls.map(([until, call]) => [call !== undefined, until])).toContainEqual([
      true,
      a.f.snapshot(A)!.gate.until,
    ])
    expect(b.f.snapshot(A)!.gate.open).toBe(false)
  })

  it('does not count what another tab sends before it hears of the cooldown', async () => {
    const [a, b] = [
      open((_, index) => ({ status: 200, latencyMs: index ? 10 : 500 })),
      open([200, tooMany(3)]),
    ]
    const sent = spyOnPolicy(b, 'sent')
    await play({ a, b }, `b ${'a 20 '.repeat(5)}b 10`)
    sent.mockClear()
    await play({ a }, 'a 10')
    expect([a.server.at().at(-1), sent.mock.calls]).toEqual([110, []])
  })

  it('does not count a refusal that another tab stored long ago', async () => {
    const [a, b] = [open([tooMany(30)], { maxRetries: 0 }), open()]
    const closed = spyOnPolicy(b, 'closed')
    await play({ a, b }, 'a 5000 b 20')
    expect(closed.mock.calls.map(([, call]) => call)).toEqual([undefined])
  })

  it('counts a response for a request of its own tab, although another waits for an older one', async () => {
    const slow = open(() => ({ status: 200, latencyMs: 1000 }))
    const [a, b] = [open(), open()]
    const ended = spyOnPolicy(b, 'ended')
    await play({ a, b, slow }, 'b 50 a 50 a 50 a 50 a 50 slow 50')
    ended.mockClear()
    const controller = new AbortController()
    for (const signal of [null, controller.signal, null]) {
      a.f(A, { signal }).catch(() => undefined)
      await clock.advanceAsync(2)
    }
    controller.abort()
    await clock.advanceAsync(400)
    // A message does not say which request ended: the oldest.
    expect(ended.mock.calls.map(([{ sentAt }, { kind }]) => [kind, sentAt])).toEqual([
      ['aborted', 301],
      ['passed', 303],
      ['passed', 305],
    ])
  })

  it.each(['named', 'unknown'])(
    'sends at once while the other tabs do not wait or the limit is %s',
    async (limit) => {
      const a = open(() => (limit === 'named' ? named(50) : 200))
      const b = open(() => ({ status: 200, latencyMs: 100_000 }), { concurrency: 1 })
      const times: number[] = []
      const sendTen = async (): Promise<void> => {
        for (let sends = 0; sends < 10; sends++) {
          times.push(clock.now())
          await play({ a }, 'a 20')
        }
      }
      await sendTen()
      b.call()
      if (limit === 'unknown') b.call()
      await sendTen()
      expect(a.server.at()).toEqual(times)
    },
  )

  it('without a limit serves as much with stray refusals, although tabs take turns after them', async () => {
    let requests = 0
    const answer = (): Answer => (++requests % 100 ? { status: 200, latencyMs: 50 } : tooMany(1))
    const tabs = Array.from({ length: 3 }, () => open(answer, { pace: 'fixed' }))
    const calls = tabs.flatMap(({ call }) => paths(300).map((path) => call(path)))
    await clock.advanceAsync(4000)
    expect(calls.filter(({ state }) => state === 'resolved')).toHaveLength(900)
  })

  it('counts a refusal of another tab once', async () => {
    const [a, b] = [open([200, tooMany(1)], { maxRetries: 0 }), open()]
    const ended = spyOnPolicy(b, 'ended')
    await play({ a, b }, 'b a 100 a 100')
    expect(ended.mock.calls.filter(([, { kind }]) => kind === 'throttled')).toHaveLength(1)
  })

  it('that is slow is sent calls about as fast as by one tab', async () => {
    const slow = (): Answer => ({ status: 200, latencyMs: 2000 })
    const [a, b] = [open(slow), open(slow)]
    await play({ a, b }, 'a 1000 a 1000 a 500 b*200 3000')
    expect(b.server.requests).toHaveLength(200)
  })

  it('is not flooded by a tab that opens after the others learned its rate', async () => {
    const { tabs, start } = share({ retryAfter: true }, 2)
    for (const { call } of tabs) for (const path of paths(600)) call(path)
    await clock.advanceAsync(20_000)
    const before = refusals(tabs)
    tabs.push(start())
    await play({ c: tabs[2]! }, 'c*300 20000')
    expect(refusals(tabs) - before).toBeLessThanOrEqual(6)
  })
})

describe('a closed or inactive tab', () => {
  beforeEach(() => void letTimeGoOn(clock))

  it.each([
    ['still sends messages', () => undefined],
    ['has crashed', (b: Opened) => b.tab.crash()],
  ] as const)('that %s delays the others for 5 s at most', async (_, go) => {
    const limited = (latencyMs: number): Answer => ({
      status: 200,
      headers: { 'ratelimit-policy': '"a";q=20;w=1', ratelimit: '"a";r=9;t=1' },
      latencyMs,
    })
    const a = open(() => limited(10))
    await play({ a }, 'a 100')
    const b = open(() => limited(100_000), { concurrency: 12 })
    await play({ b }, 'b*20 300')
    expect(b.server.inFlight).toBe(9)
    await play({ a }, 'a*400 100')
    go(b)
    b.f.pause()
    await clock.advanceAsync(5000)
    // One a second, if all of them counted.
    expect(a.server.requests.length).toBeGreaterThan(40)
  })

  it.each([1, 3, 5])('%i that cannot send leave the others most of the limit', async (count) => {
    const bucket = createBucketServer(
      { ratePerSecond: 100, burst: 20, tells: { rateLimit: true } },
      clock.now,
    )
    const a = open(() => ({ ...bucket.receive(), latencyMs: 25 }))
    await play({ a }, 'a 100')
    const others = Array.from({ length: count }, () => open())
    for (const other of others) {
      other.f.pause()
      await play({ other }, 'other*30')
    }
    await play({ a }, 'a*600 5000')
    expect(a.server.requests.length).toBeGreaterThan(300)
  })

  const busy = async (other?: RateLimitedFetchOptions, latencyMs = 25): Promise<[Opened, Opened]> => {
    const bucket = createBucketServer({ tells: { rateLimit: true } }, clock.now)
    const answer = (): Answer => ({ ...bucket.receive(), latencyMs })
    const tabs: [Opened, Opened] = [open(answer), open(answer, other)]
    for (const { call } of tabs) for (const path of paths(400)) call(path)
    await clock.advanceAsync(5000)
    return tabs
  }
  /** Requests in the 4 s after `from`; the server allows 20 a second. */
  const sentFrom = ({ server }: Opened, fromMs: number): number =>
    server.at().filter((at) => at >= fromMs && at < fromMs + 4000).length

  // Timers of hidden pages run once a second.
  const hidden = () => ({
    clock: {
      ...clock,
      after: (ms: number, callback: () => void) =>
        clock.after(1000 * Math.ceil((clock.now() + ms) / 1000) - clock.now(), callback),
    },
  })
  it.each([
    ['active', () => ({}), 25, 2],
    ['hidden', hidden, 2, 32],
  ])('has a share while it is %s, and the others keep the pace', async (_, options, latencyMs, apart) => {
    const tabs = await busy(options(), latencyMs)
    const [one, other] = tabs.map((tab) => sentFrom(tab, 1000)) as [number, number]
    expect(one + other).toBeGreaterThanOrEqual(72)
    expect(Math.abs(one - other)).toBeLessThanOrEqual(apart)
    expect(tabs.flatMap(({ server }) => server.early)).toEqual([])
  })

  it.each([
    ['crashes', (b: Opened) => b.tab.crash()],
    ['freezes', (b: Opened) => b.tab.freeze()],
    ['goes into the back/forward cache', (b: Opened) => b.tab.emit('pagehide')],
  ])('gives its share to the others within 5 s when it %s', async (_, go) => {
    const [a, b] = await busy()
    go(b)
    // Its timers are stopped.
    b.f.pause()
    await clock.advanceAsync(9000)
    expect(sentFrom(a, 10_000)).toBeGreaterThanOrEqual(76)
  })

  it('closes its channel when it enters the back/forward cache, and listens again on return', async () => {
    const a = open()
    await play({ a }, 'a 10')
    expect(browser.openChannels()).toBe(1)
    expect(a.tab.listenedTypes()).toEqual(['pagehide', 'pageshow'])
    a.tab.emit('pagehide')
    expect(browser.openChannels()).toBe(0)
    a.tab.emit('pageshow')
    expect(browser.openChannels()).toBe(1)
    a.f.dispose()
    expect(a.tab.listenedTypes()).toEqual([])
  })

  it('sends nothing during a pause that began while it was in the back/forward cache', async () => {
    const a = open([tooMany(30)])
    const b = open([{ status: 200, latencyMs: 500 }], { concurrency: 1 })
    await play({ b }, 'b*2 100')
    b.tab.emit('pagehide')
    await play({ a }, 'a 300')
    b.tab.emit('pageshow')
    await clock.advanceAsync(1000)
    expect(b.server.requests).toHaveLength(1)
    expect(b.f.snapshot(A)!.gate).toMatchObject({ open: false, source: 'shared' })
  })

  it.each(['the next page', 'another tab'])('that goes during its calls does not delay %s', async (who) => {
    const other = open()
    const a = open(() => ({ status: 200, latencyMs: 1000 }))
    if (who === 'another tab') other.call()
    await play({ a }, 'a*4 100')
    leave(a)
    await play({ other }, '10 other*8 10')
    expect(other.server.at().filter((at) => at > 100)).toHaveLength(8)
  })

  it('reads the storage before it sends if its timers run first after a freeze', async () => {
    let isFrozen = false
    const held: (() => void)[] = []
    const after: ManualClock['after'] = (ms, callback) =>
      clock.after(ms, () => (isFrozen ? held.unshift(callback) : callback()))
    const [a, b] = [open([tooMany(30)]), open([tooMany(2)], { clock: { ...clock, after } })]
    await play({ b }, 'b 100')
    b.tab.freeze()
    isFrozen = true
    await play({ a }, '4000 a 4000')
    isFrozen = false
    for (const callback of held) {
      callback()
      await clock.advanceAsync(0)
    }
    expect(b.server.requests).toHaveLength(1)
    expect(b.f.snapshot(A)!.gate).toMatchObject({ open: false, source: 'shared' })
  })

  it('sends nothing during a pause whose message it missed', async () => {
    const [a, b] = [open([200, tooMany(30)]), open()]
    await play({ a, b }, 'b a 300')
    b.tab.freeze()
    await play({ a, b }, 'a 9000 b')
    expect(b.f.snapshot(A)!.gate.open).toBe(false)
    expect(b.server.requests).toHaveLength(1)
  })
})

describe('untrusted data', () => {
  const valid = {
    id: 0.5,
    at: WALL,
    calls: 0,
    inFlight: 0,
    passed: 0,
    sentAt: 0,
    opensAt: 0,
    readAt: 0,
    pacedAt: 0,
    fields: [],
  }
  const broken: unknown[] = [
    null,
    'text',
    {},
    [],
    ...Object.keys(valid).flatMap((name) =>
      [-1, '1', null, ...(name === 'fields' ? [] : [undefined, {}])].map((value) => ({
        ...valid,
        readAt: WALL,
        [name]: value,
      })),
    ),
    { ...valid, inFlight: 1e9 },
    { ...valid, readAt: WALL, fields: [['no name\n', '']] },
  ]

  it.each([...broken, UNREADABLE, { ...valid, opensAt: NaN }, { ...valid, opensAt: Infinity }])(
    'is ignored as a message, with an event: %j',
    async (value) => {
      const a = open()
      await play({ a }, 'a 10')
      const before = a.f.snapshot(A)
      browser.postFromOther(CHANNEL, value)
      await clock.advanceAsync(LATENCY_MS)
      expect(ignored(a)).toEqual(['channel'])
      expect(a.f.snapshot(A)).toBe(before)
      a.call()
      expect(a.server.requests).toHaveLength(2)
    },
  )

  it.each([...broken.map((value) => JSON.stringify(value)), '{', '[1e999]'])(
    'is ignored as a stored value, with an event: %s',
    (text) => {
      browser.items.set(CHANNEL, text)
      const a = open()
      a.call()
      expect(ignored(a)).toEqual(['storage'])
      expect(a.server.requests).toHaveLength(1)
    },
  )

  it.each([
    [1, 1001],
    [1000, 2000],
  ])('of 2000 tabs with %d requests each counts %d in all at most', async (inFlight, most) => {
    const a = open()
    const sent = spyOnPolicy(a, 'sent')
    await play({ a }, 'a 10')
    for (let id = 1; id <= 2000; id++) browser.postFromOther(CHANNEL, { ...valid, id, calls: 1, inFlight })
    await clock.advanceAsync(LATENCY_MS)
    expect(sent.mock.calls.length).toBeLessThanOrEqual(most)
    expect(sent.mock.calls.length).toBeGreaterThan(900)
    await play({ a }, '10000 a 10')
    expect(a.server.requests).toHaveLength(2)
  })

  it('delays by maxGateMs at most, even in the valid format', async () => {
    const stored = { ...valid, opensAt: 1e15, readAt: 1e15, fields: [['ratelimit', '"a";r=3;t=30']] }
    browser.items.set(CHANNEL, JSON.stringify(stored))
    const a = open([], { maxGateMs: 10_000 })
    await play({ a }, 'a 9999')
    expect(a.server.requests).toEqual([])
    await clock.advanceAsync(10_000)
    expect(a.server.requests).toHaveLength(1)
    expect(ignored(a)).toEqual([])
  })

  it('delays by maxGateMs at most, or while its tab lives, whatever rate it claims to have learned', async () => {
    for (const [maxGateMs, mostMs] of [
      [1000, 1000],
      [60_000, 4000],
    ] as const) {
      const a = open([], { maxGateMs })
      await play({ a }, 'a 10')
      browser.postFromOther(CHANNEL, { ...valid, at: clock.wall(), pacedAt: 1e15 })
      await play({ a }, `${LATENCY_MS} a 900`)
      expect(a.server.requests).toHaveLength(1)
      await clock.advanceAsync(mostMs - 900)
      expect(a.server.requests).toHaveLength(2)
      a.f.dispose()
    }
  })

  it('delays by a second at most if a message claims a thousand earlier tabs', async () => {
    const a = open([tooMany(3)])
    await play({ a }, 'a 2900')
    for (let tab = 1; tab <= 1000; tab++)
      browser.postFromOther(CHANNEL, { ...valid, id: tab / 2000, at: WALL + 2900, calls: 1 })
    await clock.advanceAsync(1200)
    expect(a.server.requests).toHaveLength(2)
  })

  it.each([0, 1, WALL, WALL + 1000])('never ends or shortens a cooldown: until %s', async (until) => {
    const a = open([tooMany(30)])
    await play({ a }, 'a 10')
    browser.postFromOther(CHANNEL, { ...valid, opensAt: until })
    await clock.advanceAsync(LATENCY_MS)
    expect(a.f.snapshot(A)!.gate.until).toBe(30_010)
  })
})

describe('without platform APIs', () => {
  const failing = (name: 'getItem' | 'setItem' | 'removeItem') => ({
    ...browser.storage,
    [name]: () => {
      throw new DOMException('full or forbidden', 'QuotaExceededError')
    },
  })

  it.each(['getItem', 'setItem'] as const)('limits each tab separately where %s throws', async (name) => {
    const a = open([tooMany(3)], {}, { storage: failing(name) })
    const call = a.call()
    await clock.advanceAsync(4000)
    expect(a.server.at()).toEqual([0, 3010])
    expect(call.response!.status).toBe(200)
    expect(new Set(ignored(a))).toEqual(new Set(['storage']))
  })

  it('works without a page and storage, and where access to the global throws', async () => {
    vi.stubGlobal('addEventListener', undefined)
    vi.stubGlobal('removeEventListener', undefined)
    vi.stubGlobal('localStorage', undefined)
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get() {
        throw new DOMException('forbidden', 'SecurityError')
      },
    })
    const a = open([tooMany(3)], {}, { storage: null })
    a.call()
    const b = open([tooMany(3)], {}, { storage: undefined })
    await play({ b }, 'b 5000')
    expect([...ignored(a), ...ignored(b)]).toEqual([])
    expect([a, b].map(({ server }) => server.early)).toEqual([[], []])
    vi.stubGlobal('document', {})
    const c = open([], {}, { storage: undefined })
    const d = open([], {}, { storage: null })
    await play({ c, d }, 'c d 50')
    expect([c, d].map(({ server }) => server.requests.length)).toEqual([1, 1])
    expect([c, d].map((tab) => [...new Set(ignored(tab))])).toEqual([['storage'], []])
  })

  it('shares by storage alone without BroadcastChannel, or where it throws', async () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    const a = open([tooMany(3)])
    await play({ a }, 'a 10')
    vi.stubGlobal('BroadcastChannel', function () {
      throw new DOMException('forbidden', 'SecurityError')
    })
    const b = open()
    b.call()
    expect(ignored(b)).toEqual(['channel'])
    expect(b.f.snapshot(A)!.gate).toMatchObject({ open: false, source: 'shared' })
  })

  it('keeps the stored pause of another tab when its own call ends', async () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    const b = open([{ status: 200, latencyMs: 900 }])
    await play({ b }, 'b 500')
    const a = open([tooMany(30)], { maxRetries: 0 })
    await play({ a }, 'a 2000')
    const c = open()
    await play({ c }, 'c 1000')
    expect(c.server.requests).toHaveLength(0)
  })

  it('works by itself with a malformed item, and reset forgets a stored pause', async () => {
    vi.stubGlobal('BroadcastChannel', undefined)
    browser.items.set(CHANNEL, '{}')
    const [a, b] = [open([tooMany(30)], { maxRetries: 0 }), open()]
    await play({ a }, 'a 1000')
    expect(JSON.parse(browser.items.get(CHANNEL)!)).toMatchObject({ opensAt: WALL + 30_010 })
    await play({ a, b }, 'b 1000 a')
    b.f.reset()
    expect(b.f.snapshot(A)!.gate.open).toBe(true)
    const c = open()
    c.call()
    expect(c.server.requests).toHaveLength(1)
  })

  it('reads no clock and no storage before the first call', () => {
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

it('leaves no timer behind when queued calls are aborted after a sleep', async () => {
  const { f } = open([{ status: 200, latencyMs: 1e9 }], { concurrency: 1 })
  const aborts = paths(3).map((path) => {
    const controller = new AbortController()
    f(A + path, { signal: controller.signal }).catch(() => undefined)
    return controller
  })
  await clock.advanceAsync(10)
  clock.setWall(WALL + 60_000)
  for (const controller of aborts) controller.abort()
  await clock.advanceAsync(10_000)
  expect(clock.pending).toBe(0)
})

it('counts waiting calls, whatever earlier policies refuse', async () => {
  const tab = browser.open()
  const refuse: Policy = () => ({
    admit({ arrival }) {
      if (arrival > 1) throw new Error('refused')
    },
  })
  const a = open([tooMany(5)], { policies: [refuse, tab.share()] })
  await play({ a }, 'a 10 a 2000')
  expect(a.f.snapshot().queued).toBe(1)
  expect(browser.posted.at(-1)![1]).toMatchObject({ at: WALL + 2000, calls: 1 })
})
