import type { BucketSnapshot, FetchSnapshot } from 'lull/fetch'
import { beforeEach, expect, it, vi } from 'vitest'
import { createEventLog, type LogEntry } from '../../../demo/src/status/event-log.ts'
import { matchRange } from '../../../demo/src/search/match-range.ts'
import { openWords } from '../../../demo/src/status/open-words.ts'
import { parseSearchResponse } from '../../../demo/src/search/parse-search-response.ts'
import { playBack } from '../../../demo/src/typing/play-back.ts'
import { readTimeline } from '../../../demo/src/timeline/timeline-model.ts'
import { readPoint } from '../../../demo/src/timeline/timeline-readout.ts'
import { lanes, rowOf } from '../../../demo/src/timeline/timeline-scale.ts'
import { windowSteps } from '../../../demo/src/timeline/timeline-windows.ts'
import { pauseWords } from '../../../demo/src/status/wait-words.ts'

beforeEach(() => void vi.useFakeTimers())

const dated = (at: number, event: object) => ({ ...event, key: 'k', at }) as LogEntry

const refusal: LogEntry[] = [
  { type: 'run', run: 'keystroke', at: 0 },
  { type: 'run', run: 'debounced', at: 300 },
  dated(300, { type: 'enqueue', call: 1 }),
  dated(300, { type: 'dispatch', call: 1, attempt: 1 }),
  dated(310, { type: 'response', call: 1, attempt: 1, status: 429 }),
  dated(310, { type: 'gate-closed', until: 2310, ms: 2000, source: 'retry-after:delay' }),
  dated(310, { type: 'retry', call: 1, attempt: 2, delayMs: 2000, reason: 'throttle' }),
  dated(900, { type: 'abort', call: 1, phase: 'queued' }),
  dated(900, { type: 'enqueue', call: 2 }),
  dated(2310, { type: 'dispatch', call: 2, attempt: 1 }),
]

it.each([
  ['Saint-Étienne', 'saint etienne', 'Saint-Étienne'],
  ['São Paulo', 'paulo', 'Paulo'],
  ['Kołobrzeg', 'kol', 'Koł'],
  ['Gießen', 'gies', 'Gieß'],
  ['Sokolniki', 'koln', 'koln'],
  ['Snew New York', 'new', 'New'],
  ['Bern', 'x', ''],
  ['Bern', ' - ', ''],
])('in %s, the range that matches %j is %j', (name, query, found) => {
  expect(name.slice(...matchRange(name, query))).toBe(found)
})

it('accepts only a valid response to the query', () => {
  const city = { id: 1, name: 'Bern', country: 'CH', population: 0, lat: 0, lon: 0, match: 'exact' }
  const answer = { query: 'bern', total: 1, results: [city], tookMs: 1 }
  expect(parseSearchResponse(answer, 'bern')).toBe(answer)
  for (const other of [null, [], 'x', { ...answer, results: [{}] }, { ...answer, query: 'ber' }]) {
    expect(() => parseSearchResponse(other, 'bern')).toThrow(SyntaxError)
  }
})

it('keeps the last entries of a log in order, and counts all', () => {
  const log = createEventLog(3)
  const changed = vi.fn()
  const unsubscribe = log.subscribe(changed)
  for (let at = 1; at <= 5; at++) log.add({ type: 'run', run: 'keystroke', at })
  expect(log.entries().map((entry) => entry.at)).toEqual([3, 4, 5])
  expect(log.totals().keystroke).toBe(5)
  unsubscribe()
  log.clear()
  expect(log.entries()).toEqual([])
  expect(log.totals().keystroke).toBe(0)
  expect(changed).toHaveBeenCalledTimes(5)
})

it('keeps the last pauses with their extended durations, newest first', () => {
  const log = createEventLog()
  for (let index = 1; index <= 5; index++) {
    const at = 1000 * index
    log.add(dated(at, { type: 'gate-closed', until: at + 100, ms: 100, source: 'retry-after:delay' }))
    log.add(dated(at + 10, { type: 'response', call: 1, attempt: 1, status: 429 }))
    log.add(dated(at + 10, { type: 'gate-extended', until: at + 200, ms: 190, source: 'ratelimit' }))
    log.add(dated(at + 20, { type: 'gate-closed', until: at + 300, ms: 280, source: 'backoff' }))
  }
  const pause = { key: 'k', ms: 300, restMs: 280, saidMs: undefined, source: 'backoff', isSilent: true }
  expect(log.totals().pauses).toEqual([5000, 4000, 3000, 2000].map((at) => ({ ...pause, at })))
  expect(readTimeline(log.entries()).closed).toEqual(
    [1000, 2000, 3000, 4000, 5000].map((from) => ({ from, to: from + 300, source: 'backoff' })),
  )
  const unknown = {
    ...dated(9000, { type: 'gate-extended', until: 9500, ms: 500, source: 'shared' }),
    key: 'l',
  }
  log.add(unknown)
  expect(log.totals().pauses[0]).toMatchObject({ key: 'l', at: 9000, ms: 500, source: 'shared' })
})

it('shows what the server said apart from the jitter', () => {
  const log = createEventLog()
  log.add(dated(0, { type: 'response', call: 1, attempt: 1, status: 429, retryAfterMs: 3000 }))
  log.add(dated(0, { type: 'gate-closed', until: 3270, ms: 3270, source: 'retry-after:delay' }))
  const [pause] = log.totals().pauses
  expect(pauseWords(pause!)).toBe('Server said wait 3 s + 0.27 s jitter')
  expect(pauseWords({ ...pause!, source: 'backoff' })).toBe('The server is not ready yet')
})

it('keeps the current window when a log is cleared', () => {
  const log = createEventLog()
  for (const window of [1, 2]) log.add({ type: 'window', window, at: window })
  for (const entry of refusal) log.add(entry)
  log.clear()
  expect(log.entries()).toEqual([{ type: 'window', window: 2, at: 2 }])
})

it('builds spans from the events of calls', () => {
  const { ticks, spans, closed } = readTimeline(refusal)
  expect(ticks).toEqual({ keystroke: [0], debounced: [300], throttled: [] })
  expect(closed).toEqual([{ from: 310, to: 2310, source: 'retry-after:delay' }])
  expect(spans).toEqual([
    { call: 1, from: 300, to: 300, outcome: 'waiting', label: '' },
    { call: 1, from: 300, to: 310, outcome: 'refused', label: '429' },
    { call: 1, from: 310, to: 900, outcome: 'waiting', label: '' },
    { call: 2, from: 900, to: 2310, outcome: 'waiting', label: '' },
    { call: 2, from: 2310, to: undefined, outcome: 'sent', label: '' },
  ])
})

it('ignores the end of a call whose start is no longer in the log', () => {
  expect(readTimeline(refusal.slice(-1))).toMatchObject({ spans: [{ call: 2, from: 2310 }], closed: [] })
  expect(readTimeline([dated(5, { type: 'response', call: 7, attempt: 1, status: 200 })]).spans).toEqual([])
})

/** A pause, a refused probe, a second pause, and the ramp after it. */
const ramp: LogEntry[] = [
  { type: 'window', window: 8, at: 0 },
  dated(0, { type: 'dispatch', call: 1, attempt: 1 }),
  dated(100, { type: 'response', call: 1, attempt: 1, status: 429, retryAfterMs: 1000 }),
  dated(100, { type: 'throttled', call: 1, ms: 1000, source: 'retry-after:date' }),
  dated(100, { type: 'gate-closed', until: 1100, ms: 1000, source: 'retry-after:date' }),
  { type: 'window', window: 1, at: 100 },
  dated(1100, { type: 'gate-probe', call: 1, early: false }),
  dated(1100, { type: 'dispatch', call: 1, attempt: 2 }),
  dated(1200, { type: 'response', call: 1, attempt: 2, status: 429 }),
  dated(1200, { type: 'throttled', call: 1, ms: 800, source: 'backoff' }),
  dated(1200, { type: 'gate-closed', until: 2000, ms: 800, source: 'backoff' }),
  dated(2000, { type: 'gate-probe', call: 2, early: false }),
  dated(2000, { type: 'dispatch', call: 2, attempt: 1 }),
  dated(2100, { type: 'response', call: 2, attempt: 1, status: 200 }),
  { type: 'window', window: 2, at: 2100 },
  dated(2100, { type: 'dispatch', call: 3, attempt: 1 }),
  { type: 'window', window: 4, at: 2300 },
  { type: 'window', window: Infinity, at: 2600 },
]

it('draws the ramp after each pause, and nothing while the gate is closed or the window is unlimited', () => {
  expect(windowSteps(readTimeline(ramp), 3000)).toEqual([
    { from: 0, to: 100, window: 8 },
    { from: 1100, to: 1200, window: 1 },
    { from: 2000, to: 2100, window: 1 },
    { from: 2100, to: 2300, window: 2 },
    { from: 2300, to: 2600, window: 4 },
  ])
  expect(windowSteps(readTimeline(ramp.slice(0, 6)), 500)).toEqual([{ from: 0, to: 100, window: 8 }])
})

it('marks the probe', () => {
  const { spans } = readTimeline(ramp)
  expect(spans.filter(({ isProbe }) => isProbe).map(({ call, from }) => [call, from])).toEqual([
    [1, 1100],
    [2, 2000],
  ])
})

it.each([
  [0, lanes.keystroke.top + 0.5, '3.0 s ago: a change of the text', refusal],
  [1000, lanes.keystroke.top + 0.5, undefined, refusal],
  [305, rowOf(1), '2.7 s ago: request 1, 429 after 10 ms', refusal],
  [600, rowOf(1), '2.7 s ago: request 1 waits, 590 ms', refusal],
  [2900, rowOf(2), '0.7 s ago: request 2 is in flight, 690 ms', refusal],
  [2000, lanes.gate.top + 0.1, '2.7 s ago: paused for 2.0 s, by the Retry-After header', refusal],
  [2800, lanes.gate.top + 0.1, undefined, refusal],
  [50, rowOf(1), '3.0 s ago: request 1, 429 after 100 ms; wait set by the Retry-After header, a date', ramp],
  [1150, rowOf(1), '1.9 s ago: request 1, the probe, 429 after 100 ms; wait set by our own backoff', ramp],
  [2400, lanes.window.top + 0.5, '0.7 s ago: at most 4 in parallel', ramp],
  [500, lanes.window.top + 0.5, undefined, ramp],
])('describes the mark at %d ms and height %d: %s', (at, units, words, log) => {
  expect(readPoint({ model: readTimeline(log), now: 3000, at, units, toleranceMs: 4 })).toBe(words)
})

const busy = { limits: { ratePerSecond: Infinity }, quota: [], queued: 9 }
const fields = { from: 'fields', ratePerSecond: 2, burst: 5 }

it.each([
  ['Open: a request is sent at once.', {}, {}],
  ['Waiting for the server’s response.', { inFlight: 1 }, {}],
  ['The request failed. It will be sent again in a moment.', { sleeping: 1, queued: 9 }, {}],
  ['The pause is over. One probe request is sent first.', { window: 1, inFlight: 1, queued: 9 }, {}],
  ['At most 2 in parallel until the server’s limit is known.', { window: 2, inFlight: 2, queued: 9 }, {}],
  ['Waiting for its turn.', { inFlight: 8, queued: 9 }, {}],
  ['The server has no quota left for now.', { queued: 9 }, { quota: [{ name: 'a' }] }],
  ['Keeping to the limit named by the server.', { window: 4, inFlight: 1, queued: 9 }, { pace: fields }],
  ['Keeping to the rate learned from refusals.', { queued: 9 }, { pace: { ...fields, from: 'refusals' } }],
  ['Waiting for your own limit.', { queued: 9 }, { pace: fields, limits: { ratePerSecond: 1 } }],
])('says: %s', (words, state, bucket) => {
  const idle = { window: Infinity, queued: 0, inFlight: 0, sleeping: 0 }
  const buckets = { a: { ...busy, queued: 0 }, b: { ...busy, ...bucket } as unknown as BucketSnapshot }
  expect(openWords({ ...idle, ...state, buckets } as unknown as FetchSnapshot)).toBe(words)
})

it('plays the steps with their delays', () => {
  const played: string[] = []
  const record = (word: string) => played.push(`${performance.now() - startedAt} ${word}`)
  const startedAt = performance.now()
  const steps = [
    ['a', 100],
    ['b', 50],
    ['Backspace', 50],
    ['Refuse', 30],
    ['Rest', 500],
  ] as const
  playBack(steps, { type: record, refuse: () => record('refuse'), end: () => record('end') })
  vi.runAllTimers()
  expect(played).toEqual(['100 a', '150 ab', '200 a', '230 refuse', '730 end'])
})
