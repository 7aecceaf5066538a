import { createRateLimitedFetch, type RateLimitedFetchOptions } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { createFakeServer, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, callAll, paths, run, start } from '../fixtures/start.ts'

describe('a gate that opens', () => {
  it('one 429 and 20 more calls during the pause: none is sent before its end, then 1, 2, 4, 8 in flight', async () => {
    const calls = ['/0', ...paths(20).map((path, index) => `${30 * (index + 1)}:${path}`)].join(' ')
    const { server, outcomes, events } = await run({ calls, answers: '429/1' })
    expect(server.paths()).toEqual(['/0', '/0', ...paths(20)])
    const ramp = [1, 2, 4, 8, 6].flatMap((width, step) => Array<number>(width).fill(1010 + 10 * step))
    expect(server.at()).toEqual([0, ...ramp])
    expect(outcomes.every(({ response }) => response?.status === 200)).toBe(true)
    expect(events.filter(({ type }) => type === 'gate-probe')).toHaveLength(1)
  })

  it.each<[why: string, calls: string, answers: string, sent: string, RateLimitedFetchOptions?]>([
    [
      'with one probe, though its time has passed unnoticed',
      'POST/1 5000:/2 /3 /4',
      '429/1',
      '0 5000 5010 5010',
    ],
    ['with the next one, if the network loses its probe', '/0 10:/1 /2', '429/1 x', '0 1010 2020 2030 2030'],
    [
      'in a window that a lost request does not close again',
      '/first 10:/0 20:/1 /2 /3 /4',
      '200 429/1 200 x',
      '0 10 1020 1030 1030 1040',
      { maxRetries: 0 },
    ],
    ['for a repeat, which takes a token too', '/1 /2', '500', '0 1000 2000', { ratePerSecond: 1, burst: 1 }],
  ])('does so %s', async (_, calls, answers, sent, options) => {
    expect((await run({ calls, answers, options })).sent).toBe(sent)
  })

  it('has silent requests give up their places in the window, one after the other', async () => {
    const { sent } = await run({
      calls: `/0 10:${paths(6).join(' ')}`,
      answers: '429/1 200 200~100000 200~100000',
    })
    // Two of the window of 2 are silent since 1020, and no third is sent beside them before 11,020.
    expect(sent).toBe('0 1010 1020 1020 11020 11020 11030 11030')
  })

  it.each([
    [Infinity, [1, 2, 4, 8, 16, 32, 64, Infinity]],
    [4, [1, 2, Infinity]],
  ])(
    'doubles its window until it is as wide as is needed, with a concurrency of %s',
    async (concurrency, widths) => {
      const started = start({ concurrency, maxQueue: Infinity }, [tooMany(1)])
      callAll(started, ['/0'])
      await started.clock.advanceAsync(10)
      callAll(started, paths(400))
      await started.clock.advanceAsync(1000)
      const windows = new Set<number>()
      for (let step = 0; step < 12; step++) {
        windows.add(started.f.snapshot(A)!.window)
        await started.clock.advanceAsync(10)
      }
      expect([...windows]).toEqual(widths)
      await started.clock.advanceAsync(10_000)
    },
  )

  it('has no window when nobody waits', async () => {
    const started = start({}, [tooMany(1)])
    callAll(started, ['/0'])
    await started.clock.advanceAsync(1010)
    expect(started.f.snapshot(A)?.window).toBe(1)
    await started.clock.advanceAsync(10)
    expect(started.f.snapshot(A)?.window).toBe(Infinity)
    callAll(started, paths(50))
    expect(started.server.inFlight).toBe(50)
    await started.clock.advanceAsync(10)
  })

  it('lets go in the order of arrival though a timer is late: a call that comes then does not overtake', async () => {
    const clock = createManualClock()
    const server = createFakeServer(clock)
    const late = { ...clock, after: (ms: number, callback: () => void) => clock.after(ms + 5, callback) }
    const f = createRateLimitedFetch({ fetch: server.fetch, ratePerSecond: 1, clock: late })
    const calls = [f(`${A}/1`), f(`${A}/2`)]
    await clock.advanceAsync(1002)
    calls.push(f(`${A}/3`))
    await clock.advanceAsync(0)
    expect([server.paths(), server.at()]).toEqual([
      ['/1', '/2'],
      [0, 1002],
    ])
    await clock.advanceAsync(2000)
    await Promise.all(calls)
    expect(server.paths()).toEqual(['/1', '/2', '/3'])
    expect(clock.pending).toBe(0)
  })
})

describe('the first window', () => {
  /** How many of 40 calls are sent at once after `rounds` of `calls` each. */
  async function widthAfter(
    rounds: number,
    calls: number,
    options: RateLimitedFetchOptions = {},
  ): Promise<number> {
    const started = start(options)
    for (let round = 0; round < rounds; round++) {
      callAll(started, paths(calls))
      await started.clock.advanceAsync(100)
    }
    callAll(started, paths(40))
    const { inFlight } = started.server
    await started.clock.advanceAsync(1000)
    return inFlight
  }

  it.each<[string, number, number, number, RateLimitedFetchOptions?]>([
    ['is 8 wide before anything was sent', 0, 0, 8],
    ['stays as it is where few calls come at a time', 50, 1, 8],
    ['stays as it is where it was full only now and then', 7, 8, 8],
    ['widens where it was full as often as it is wide', 8, 8, 16],
    ['widens when more wait than it lets go', 1, 16, 16],
    ['is none where nothing is to be learnt', 0, 0, 40, { pace: 'fixed' }],
    ['is none where a limit is given', 0, 0, 30, { concurrency: 30 }],
  ])('%s', async (_, rounds, calls, width, options) => {
    expect(await widthAfter(rounds, calls, options)).toBe(width)
  })
})

describe('requests that never get a response', () => {
  const SILENT: Answer = { status: 200, latencyMs: 1e9 }
  const silently = ({ url }: { url: string }): Answer => (url.includes('silent') ? SILENT : 200)

  it.each([
    ['eight of them fill the first window for 150 ms, and no longer', 8, 160],
    ['eighty of them do so no longer', 80, 160],
  ])('%s', async (_, count, at) => {
    const started = start({}, silently)
    callAll(started, Array<string>(count).fill('/silent'))
    const calls = callAll(started, paths(3))
    await started.clock.advanceAsync(149)
    expect(started.server.requests).toHaveLength(8)
    await started.clock.advanceAsync(1e9)
    expect(calls.map((call) => call.at)).toEqual([at, at, at])
    await started.clock.advanceAsync(1e9)
  })

  it('a probe holds the others back for 10 s, and so does each one after it; what comes late is taken as it is', async () => {
    const { sent, events, outcomes } = await run({
      calls: `POST/0 10:${paths(5).join(' ')}`,
      answers: '429/1 200~35000 200~35000 200~35000',
    })
    expect(sent).toBe('0 1010 11010 21010 31010 31020')
    expect(events.flatMap((event) => (event.type === 'gate-probe' ? [event.call] : []))).toEqual([2, 3, 4, 5])
    expect(outcomes.slice(1).map(({ response }) => response?.status)).toEqual(Array(5).fill(200))
  })
})
