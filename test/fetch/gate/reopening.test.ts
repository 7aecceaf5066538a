import { type RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { createBucketServer } from '../../../bench/race/bucket-server.js'
import { SILENT, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, play, run, start } from '../fixtures/start.ts'

describe('a gate that opens', () => {
  it('after one 429, holds 20 calls during the pause, then sends 1, 2, 4, 8 in flight', async () => {
    const calls = ['/0', ...paths(20).map((path, index) => `${30 * (index + 1)}:${path}`)].join(' ')
    const { server, outcomes, events } = await run({ calls, answers: '429/1' })
    expect(server.paths()).toEqual(['/0', '/0', ...paths(20)])
    const ramp = [1, 2, 4, 8, 6].flatMap((width, step) => Array<number>(width).fill(1010 + 10 * step))
    expect(server.at()).toEqual([0, ...ramp])
    expect(outcomes.every(({ response }) => response?.status === 200)).toBe(true)
    expect(events.filter(({ type }) => type === 'gate-probe')).toHaveLength(1)
  })

  it.each<[why: string, calls: string, answers: string, sent: string, RateLimitedFetchOptions?]>([
    ['with one probe, though it is overdue', 'POST/1 5000:/2 /3 /4', '429/1', '0 5000 5010 5010'],
    [
      'in a window that a lost request does not close again',
      '/first 10:/0 20:/1 /2 /3 /4',
      '200 429/1 200 x',
      '0 10 1020 1030 1030 1040',
      { maxRetries: 0 },
    ],
    ['for a retry, which also takes a token', '/1 /2', '500', '0 1000 2000', { ratePerSecond: 1, burst: 1 }],
  ])('does so %s', async (_, calls, answers, sent, options) => {
    expect((await run({ calls, answers, options })).sent).toBe(sent)
  })

  it('with another call as its next probe, if the network loses one', async () => {
    const { server, sent, events } = await run({ calls: '/0 10:/1 /2', answers: '429/1 x' })
    expect([server.paths(), sent]).toEqual([['/0', '/0', '/1', '/0', '/2'], '0 1010 2020 2030 2030'])
    expect(events.findLast(({ type }) => type === 'gate-closed')).toMatchObject({ source: 'backoff' })
  })

  it.each([
    [Infinity, [1, 2, 4, 8, 16, 32, 64, Infinity]],
    [4, [1, 2, Infinity]],
  ])('doubles its window up to the needed width, with a concurrency of %s', async (concurrency, widths) => {
    const started = start({ concurrency, maxQueue: Infinity }, [tooMany(1)])
    await play(started, '/0 +10 *400 +1000')
    const windows = new Set<number>()
    for (let step = 0; step < 12; step++) {
      windows.add(started.f.snapshot().window)
      await started.clock.advanceAsync(10)
    }
    expect([...windows]).toEqual(widths)
  })
})

describe('the first window', () => {
  // How many of 40 calls are sent at once, after `rounds` of `calls` each.
  it.each<[string, rounds: number, calls: number, width: number, RateLimitedFetchOptions?]>([
    ['is 8 wide before anything was sent', 0, 0, 8],
    ['stays unchanged with few calls at a time', 50, 1, 8],
    ['stays unchanged if rarely full', 5, 8, 8],
    ['widens after being full three quarters as often as its width', 6, 8, 16],
    ['widens when more calls wait than it allows', 1, 16, 16],
    ['treats each burst separately', 2, 9, 8],
    ['is absent with a fixed pace', 0, 0, 40, { pace: 'fixed' }],
    ['is absent with a given limit', 0, 0, 30, { concurrency: 30 }],
    ['is absent with a given rate', 0, 0, 30, { ratePerSecond: 1000, burst: 30 }],
  ])('%s', async (_, rounds, calls, width, options) => {
    const started = start(options)
    for (let round = 0; round < rounds; round++) await play(started, `*${calls} +100`)
    await play(started, '*40')
    expect(started.server.inFlight).toBe(width)
    await started.clock.advanceAsync(1000)
  })

  it('lasts while responses come, so that six connections with a latency of 100 ms do not end it', async () => {
    const limit = createBucketServer({ tells: { retryAfter: true } }, () => started.clock.now())
    const freeAt = Array<number>(6).fill(0)
    const started = start({ maxRetries: Infinity, maxWaitMs: Infinity }, () => {
      // A request waits for a connection.
      const next = freeAt.indexOf(Math.min(...freeAt))
      freeAt[next] = Math.max(freeAt[next]!, started.clock.now()) + 100
      return { ...limit.receive(), latencyMs: freeAt[next] - started.clock.now() }
    })
    await play(started, '*200 +20000')
    expect(started.server.requests.length - 200).toBeLessThanOrEqual(40)
    expect(started.f.snapshot().queued).toBe(0)
  })

  it('lasts after a task of the page of 300 ms, whose responses are not read yet', async () => {
    const answers = () => ({ status: 200, latencyMs: 310 })
    // During the task no timer runs.
    const started = start({}, answers, ({ now, after }) => ({
      after: (ms, callback) => after(Math.max(ms, 300 - now()), callback),
    }))
    await play(started, '*40 +305')
    expect(started.server.inFlight).toBe(8)
    await started.clock.advanceAsync(1000)
  })

  it('lasts while a task of the page makes calls for 400 ms', async () => {
    let taskMs = 0
    const { f, clock } = start({}, [], () => ({ now: () => taskMs }))
    for (; taskMs < 400; taskMs += 10) callAll({ f, clock }, paths(1))
    await Promise.resolve()
    expect(f.snapshot()).toMatchObject({ inFlight: 8, queued: 32 })
    f.dispose()
  })

  it('ends within 1.2 s on a slow server, also if calls keep coming and timers are late', async () => {
    const answers = () => ({ status: 200, latencyMs: 5000 })
    const { f, clock, server } = start({}, answers, ({ after }) => ({
      after: (ms, callback) => after(ms + 3, callback),
    }))
    for (let call = 0; call < 600; call++) await play({ f, clock }, '*1 +2')
    expect(server.inFlight).toBe(600)
  })

  it('rejects no call: calls that do not fit into the queue are sent', async () => {
    const { ends, server } = await run({ calls: paths(40).join(' '), options: { maxQueue: 10 } })
    expect([server.peak, ends.match(/200@/g)!.length, server.paths()]).toEqual([30, 40, paths(40)])
  })

  it('ends on a slow server also while calls come that do not fit into the queue', async () => {
    const calls = [...paths(18), '50:/1', '100:/2', '150:/3'].join(' ')
    const answers = () => ({ status: 200, latencyMs: 2000 })
    const { server } = await run({ calls, answers, options: { maxQueue: 10 }, untilMs: 160 })
    expect(server.inFlight).toBe(21)
  })

  it('is not widened by calls that a pause refuses', async () => {
    const calls = ['pause', ...paths(40), 'resume'].join(' ')
    const { server } = await run({ calls, options: { maxQueue: 20 }, untilMs: 0 })
    expect(server.inFlight).toBe(8)
  })
})

it.each([
  ['of a limit, one probe is sent', 8, (index: number) => index >= 4, 1],
  ['among as many passes, one probe is sent', 6, (index: number) => index % 2 === 0, 1],
  ['that is isolated, all are sent', 8, (index: number) => index === 0, 101],
  ['that is one of the last, one probe is sent', 8, (index: number) => index === 5, 1],
])('after a refusal %s', async (_, calls, isRefused, width) => {
  const started = start({}, (__, index) =>
    index < calls && isRefused(index) ? { ...tooMany(5), latencyMs: 20 } : { status: 200, latencyMs: 30 },
  )
  await play(started, `*${calls} +4000 *100 +1020`)
  expect(started.server.inFlight).toBe(width)
  await started.clock.advanceAsync(60_000)
})

it('a successful probe opens the gate also when no call is queued', async () => {
  const calls = ['/', ...paths(40).map((path) => `2000:${path}`)].join(' ')
  const { f, server } = await run({ calls, answers: '429/1', options: { pace: 'fixed' }, untilMs: 2000 })
  expect([f.snapshot(A)!.window, server.inFlight]).toEqual([Infinity, 40])
})

describe('requests that never get a response', () => {
  const silently = ({ url }: { url: string }): Answer => (url.includes('silent') ? SILENT : 200)

  it.each([
    ['eight of them fill the first window for 150 ms, and no longer', 8, 160],
    ['eighty of them do so no longer', 80, 160],
  ])('%s', async (_, count, at) => {
    const started = start({}, silently)
    callAll(started, Array<string>(count).fill('/silent'))
    const calls = await play(started, '*3 +149')
    expect(started.server.requests).toHaveLength(8)
    await started.clock.advanceAsync(1e9)
    expect(calls.map((call) => call.at)).toEqual([at, at, at])
  })

  it('each probe holds the others back for 10 s; a late response counts as usual', async () => {
    const { sent, events, outcomes } = await run({
      calls: `POST/0 10:${paths(5).join(' ')}`,
      answers: '429/1 200~35000 200~35000 200~35000',
    })
    expect(sent).toBe('0 1010 11010 21010 31010 31020')
    expect(events.flatMap((event) => (event.type === 'gate-probe' ? [event.call] : []))).toEqual([2, 3, 4, 5])
    expect(outcomes.slice(1).map(({ response }) => response?.status)).toEqual(Array(5).fill(200))
  })

  it('is early only if it is sent before the time that the server named', async () => {
    const { events } = await run({
      calls: 'POST/0 10:/1 /2',
      answers: '429/9 200~35000',
      options: { maxGateMs: 5000 },
    })
    expect(events.filter(({ type }) => type === 'gate-probe')).toMatchObject([
      { at: 5010, early: true },
      { at: 15_010, early: false },
    ])
  })
})
