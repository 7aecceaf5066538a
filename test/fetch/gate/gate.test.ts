import type { FetchEvent, RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, B, endOf, expectScript, paths, play, run, scriptsOf, start } from '../fixtures/start.ts'

const gatesOf = (events: readonly FetchEvent[]) =>
  events.filter(({ type }) => /gate-(closed|extended)/.test(type))
const waitsOf = (events: readonly FetchEvent[]) =>
  events.flatMap((event) => (event.type === 'throttled' ? [event.ms] : []))

const timed = { 'retry-after': '5' }
const is403 = { isThrottled: ({ status }: Response) => status === 403 }
it.each<[string, Answer, RateLimitedFetchOptions, number | undefined]>([
  ['429', 429, {}, 510],
  ['429 with a time', { status: 429, headers: timed }, {}, 5010],
  ['429 with a malformed time', tooMany('soon'), {}, 510],
  ['503', 503, {}, undefined],
  ['503 with a time', { status: 503, headers: timed }, {}, 5010],
  ['503 with a malformed time', { status: 503, headers: { 'retry-after': '-5' } }, {}, undefined],
  ['413 with a time', { status: 413, headers: timed }, {}, undefined],
  ['403', 403, {}, undefined],
  ['403 that isThrottled knows', 403, is403, 510],
  ['403 with a time that isThrottled knows', { status: 403, headers: timed }, is403, 5010],
  ['500 with a time', { status: 500, headers: timed }, {}, undefined],
  ['200 with a time', { status: 200, headers: timed }, {}, undefined],
  ['a network error', networkError(), {}, undefined],
])('closes the gate if it is a refusal: %s', async (_, answer, options, until) => {
  const { f, ends } = await run({ calls: 'POST/', answers: [answer], options, untilMs: 10 })
  expect(f.snapshot(A)?.gate).toMatchObject({ open: until === undefined, until })
  expect(ends).not.toBe('pending')
})

// Calls, answers, send times, and ends.
it.each(
  scriptsOf(`
  does not affect another bucket
    /1 10:${B} | 429/1 | 0 10 1010 | 200@1020 200@20
  holds queued, sleeping and new calls
    /1 /2 /3 11:/4 | 500 429/2~20 | 0 0 10 2120 2130 2130 | 200@2130 200@2140 200@20 200@2140 | concurrency=2 random=0.5
  neither aborts nor retries requests in flight when it closes
    /1 /2 /3 | 429/1 200~500 200~1500 | 0 0 0 1010 | 200@1020 200@500 200@1500
  keeps the longer pause, the last
    /1 /2 | 429/1 429/4 | 0 0 4010 4020 | 200@4020 200@4030
  keeps the longer pause, the first
    /1 /2 | 429/4 429/1 | 0 0 4010 4020 | 200@4020 200@4030
  stays closed after an earlier success
    /1 /2 | 429/1 200~500 | 0 0 1010 | 200@1020 200@500
  closes for longer after refusals in a row; a success ends the row
    /1 2000:/2 | 429 429 200 429 | 0 510 1520 2000 2510 | 200@1530 200@2520
  holds no slot for a gated or sleeping call
    /asleep /next | 500 | 0 10 260 | 200@270 200@20 | concurrency=1 random=0.5`),
)('a closed gate %s', async (_, script) => {
  expect((await expectScript(script)).server.early).toEqual([])
})

describe('concurrent throttles', () => {
  it('are one event: one cooldown, one step of the backoff', async () => {
    const { sent, ends, events } = await run({ calls: '/1 /2 /3 /4', answers: '429 429 429 429 429' })
    // The probe is refused too: the second event, and the second step.
    expect(gatesOf(events)).toMatchObject([{ until: 510 }, { until: 520 + 1000 }])
    expect(events.filter(({ type }) => type === 'throttled')).toHaveLength(5)
    expect(sent).toBe('0 0 0 0 510 1520 1530 1530 1540')
    expect(ends).toBe('200@1530 200@1540 200@1540 200@1550')
  })

  it('draw jitter once: many draws do not postpone the opening', async () => {
    let draws = 0
    const { sent } = await run({
      calls: '/1 /2 /3',
      answers: '429/10 429/10 429/10',
      options: { concurrency: 3, random: () => (draws++ < 2 ? 0 : 0.9) },
    })
    expect(sent).toBe('0 0 0 10010 10020 10020')
  })

  it('are separate from a refused probe, even if a late response came in between', async () => {
    const { sent, events } = await run({ calls: '/1 /2', answers: '429 429~600 429~200' })
    // Closed at 10 for the first step; extended at 600; closed at 710 for the second step.
    expect(sent).toBe('0 0 510 1710 1720')
    expect(events.filter(({ type }) => /^gate-(?!probe)/.test(type))).toMatchObject([
      { type: 'gate-closed', at: 10, until: 510 },
      { type: 'gate-opened', at: 510 },
      { type: 'gate-extended', at: 600, until: 1100 },
      { type: 'gate-closed', at: 710, until: 1710 },
      { type: 'gate-opened', at: 1710 },
    ])
  })

  it('extend the cooldown with an event, or change nothing for a shorter wait', async () => {
    const closed = { type: 'gate-closed', key: A, at: 10, until: 1010, ms: 1000, source: 'retry-after:delay' }
    const later = { ...closed, type: 'gate-extended', at: 300, until: 2300, ms: 2000 }
    const gatesAfter = async (answers: string) => gatesOf((await run({ calls: '/1 /2', answers })).events)
    expect(await gatesAfter('429/1 429/2~300')).toEqual([closed, later])
    expect(await gatesAfter('429/5 429/1~300')).toEqual([{ ...closed, until: 5010, ms: 5000 }])
  })
})

/** A response from another origin after redirects. over-http.test.ts tests them over HTTP. */
const moved = (init?: ResponseInit): Response =>
  Object.defineProperty(new Response(null, init), 'url', { value: `${B}/moved` })

it.each([
  ['isThrottled', { isThrottled: ({ headers }: Response) => headers.has('retry-after') }],
  ['statuses', { statuses: [200] }],
])('a 200 retried because of %s waits for its Retry-After, also without onEvent', async (_, options) => {
  const { sent } = await run({ calls: '/1', answers: '200/30', options: { ...options, onEvent: undefined } })
  expect(sent).toMatch(/^0 30010/)
})

it('calls that skip the gate do not end the backoff', async () => {
  const started = start({ maxRetries: 9 }, ({ url }) => (url.endsWith('/refused') ? 429 : 200))
  const [refused] = await play(started, '/refused')
  for (let second = 0; second < 60; second++) await play(started, '/beacon +1000', { rateLimit: false })
  expect(waitsOf(started.events).slice(0, 5)).toEqual([500, 1000, 2000, 4000, 8000])
  await started.clock.advanceAsync(1e6)
  expect(refused!.state).toBe('resolved')
})

describe('a throttle at the end of a redirect', () => {
  it('waits as long as its rate limit fields say', async () => {
    const refusal = moved({ status: 429, headers: { ratelimit: '"a";r=0;t=30' } })
    const { sent } = await run({ calls: `/1 20:${B}/2`, answers: [refusal] })
    expect(sent.split(' ').at(1)).toBe('30010')
  })

  it('delays its call as long, although the cooldown of its own origin ends earlier', async () => {
    const { sent } = await run({ calls: '/1 /2', answers: [tooMany(2), moved(tooMany(30))] })
    expect(sent).toBe('0 0 2010 30010')
  })

  it('keeps its window, whatever passes there by redirects', async () => {
    const { server } = await run({
      calls: [`${B}/refused`, '1000:/redirected', ...paths(9).map((path) => `2000:${B}${path}`)].join(' '),
      answers: [tooMany(10), moved()],
    })
    expect(server.at().filter((at) => at === 10_010)).toHaveLength(1)
  })

  it('backs off no longer once calls to that origin have passed', async () => {
    const { events } = await run({
      calls: paths(30)
        .map((path, index) => `${index * 60_000}:${path}`)
        .join(' '),
      answers: paths(40).map((_, index) => moved({ status: index % 10 ? 200 : 429 })),
      untilMs: 3e6,
    })
    expect(new Set(waitsOf(events))).toEqual(new Set([500]))
  })

  it('starts the cooldown of the final origin; the call sleeps, and its own origin continues', async () => {
    const started = start({}, [moved(tooMany(2))])
    const calls = await play(started, '/1 +10')
    expect(started.f.snapshot(A)).toMatchObject({ gate: { open: true }, sleeping: 1, queued: 0 })
    expect(gatesOf(started.events)).toMatchObject([{ key: B, until: 2010 }])
    calls.push(...(await play(started, '/2 +2010')))
    expect(calls.map(endOf)).toEqual(['200@2020', '200@20'])
  })

  it('does not apply its rate limit fields to the first origin', async () => {
    const answers = [moved({ headers: { ratelimit: '"a";r=0;t=30' } })]
    const { ends } = await run({ calls: '/1 10:/2', answers })
    expect(ends).toBe('200@10 200@20')
  })

  it("counts for the call's own bucket with a user-defined key", async () => {
    const answers = [moved(tooMany(2))]
    const { sent, events } = await run({ calls: '/1', answers, options: { key: () => 'a' } })
    expect(events.find(({ type }) => type === 'gate-closed')).toMatchObject({ key: 'a' })
    expect(sent).toBe('0 2010')
  })
})
