import type { FetchEvent, RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { networkError, tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, B, callAll, run, start, watch } from '../fixtures/start.ts'

const late = (seconds: number | undefined, latencyMs: number): Answer => ({ ...tooMany(seconds), latencyMs })
const gatesOf = (events: readonly FetchEvent[]) =>
  events.filter(({ type }) => /gate-(closed|extended)/.test(type))

describe('what a throttle is', () => {
  const timed = { 'retry-after': '5' }
  const is403 = { isThrottled: ({ status }: Response) => status === 403 }
  it.each<[string, Answer, RateLimitedFetchOptions, number | undefined]>([
    ['429', 429, {}, 510],
    ['429 with a time', { status: 429, headers: timed }, {}, 5010],
    ['429 with a malformed time', { status: 429, headers: { 'retry-after': 'soon' } }, {}, 510],
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
  ])('%s', async (_, answer, options, until) => {
    const { f, ends } = await run({ calls: 'POST/', answers: [answer], options, untilMs: 10 })
    expect(f.snapshot(A)?.gate).toMatchObject({ open: until === undefined, until })
    expect(ends).not.toBe('pending')
  })
})

describe('a closed gate', () => {
  it.each<
    [why: string, calls: string, answers: string, sent: string, ends: string, RateLimitedFetchOptions?]
  >([
    ['stops nothing of another bucket', `/1 10:${B}`, '429/1', '0 10 1010', '200@1020 200@20'],
    [
      'holds back what is queued, asleep and new',
      '/asleep /refused /queued 11:/new',
      '500 429/2~20',
      '0 0 10 2120 2130 2130',
      '200@2130 200@2140 200@20 200@2140',
      { concurrency: 2, random: () => 0.5 },
    ],
    [
      'neither aborts nor sends again what is in flight when it closes',
      '/1 /2 /3',
      '429/1 200~500 200~1500',
      '0 0 0 1010',
      '200@1020 200@500 200@1500',
    ],
    ['keeps the longer pause, the last', '/1 /2', '429/1 429/4', '0 0 4010 4020', '200@4020 200@4030'],
    ['keeps the longer pause, the first', '/1 /2', '429/4 429/1', '0 0 4010 4020', '200@4020 200@4030'],
    ['stays closed for a success of before', '/1 /2', '429/1 200~500', '0 0 1010', '200@1020 200@500'],
    [
      'has those wait longer who are refused in a row; a success ends the row',
      '/1 2000:/2',
      '429 429 200 429',
      '0 510 1520 2000 2510',
      '200@1530 200@2520',
    ],
    [
      'holds no slot for a call that waits there or sleeps',
      '/asleep /next',
      '500',
      '0 10 260',
      '200@270 200@20',
      { concurrency: 1, random: () => 0.5 },
    ],
  ])('%s', async (_, calls, answers, sent, ends, options) => {
    const done = await run({ calls, answers, options })
    expect([done.sent, done.ends, done.server.early]).toEqual([sent, ends, []])
  })

  it('is not opened earlier by the loss of a probe than a late answer has put it off to', async () => {
    const started = start({}, [tooMany(1), late(10, 1100), { status: 200, latencyMs: 500 }])
    const { f, server, clock } = started
    const controller = new AbortController()
    const probe = watch(f(`${A}/1`, { signal: controller.signal }), clock)
    callAll(started, ['/2'])
    await clock.advanceAsync(1100)
    controller.abort()
    await clock.advanceAsync(0)
    expect(probe.state).toBe('rejected')
    expect(f.snapshot(A)?.gate.until).toBe(11_100)
    await clock.advanceAsync(20_000)
    expect(server.at()).toEqual([0, 0, 1010, 11_100])
  })

  it('asks after a lost probe how long to wait as after a throttle', async () => {
    const asked: unknown[] = []
    const backoff = (...args: unknown[]): number => (asked.push(args), 100)
    await run({ calls: 'POST/0 10:POST/probe', answers: '429/1 x', options: { backoff } })
    expect(asked).toEqual([
      [0, 'throttle'],
      [1, 'throttle'],
      [0, 'failure'],
    ])
  })
})

describe('throttles of requests that were in flight together', () => {
  it('are one event: one closing, one step of the backoff', async () => {
    const { sent, ends, events } = await run({ calls: '/1 /2 /3 /4', answers: '429 429 429 429 429' })
    // The probe is refused too: the second event, and the second step.
    expect(gatesOf(events)).toMatchObject([{ until: 510 }, { until: 520 + 1000 }])
    expect(events.filter(({ type }) => type === 'throttled')).toHaveLength(5)
    expect(sent).toBe('0 0 0 0 510 1520 1530 1530 1540')
    expect(ends).toBe('200@1530 200@1540 200@1540 200@1550')
  })

  it('are another event than a probe that is refused, though a late answer has come in between', async () => {
    const { sent, events } = await run({ calls: '/1 /2', answers: '429 429~600 429~200' })
    // Closed at 10 for the first step; put off at 600; closed at 710 for the second step.
    expect(sent).toBe('0 0 510 1710 1720')
    expect(events.filter(({ type }) => type === 'gate-closed')).toHaveLength(2)
  })

  it('may put the opening off, and say so; change nothing if they ask for less', async () => {
    const closed = { type: 'gate-closed', key: A, at: 10, until: 1010, ms: 1000, source: 'retry-after:delay' }
    const later = { ...closed, type: 'gate-extended', at: 300, until: 2300, ms: 2000 }
    expect(gatesOf((await run({ calls: '/1 /2', answers: '429/1 429/2~300' })).events)).toEqual([
      closed,
      later,
    ])
    const { events } = await run({ calls: '/1 /2', answers: '429/5 429/1~300' })
    expect(gatesOf(events)).toEqual([{ ...closed, until: 5010, ms: 5000 }])
  })
})
