import { expect, it, vi } from 'vitest'
import type { Clock } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { createComparison, type Comparison } from '../../../demo/src/playground/limits/limits-model.ts'
import type { Pace } from '../../../demo/src/playground/limits/limits-rows.ts'
import { PAST_MS } from '../../../demo/src/playground/limits/limits-trace.ts'
import type { WorkloadName } from '../../../demo/src/playground/limits/limits-workloads.ts'

const pace: Pace = { ratePerSecond: 3, burst: 6 }

const paces: Pace[] = Array.from({ length: 120 }, (_, index) => ({
  ratePerSecond: 1 + (index % 10),
  burst: 1 + Math.floor(index / 10),
}))

// A fractional instant, like the clock of a page.
const begun = (at = 1234.5) => {
  const clock = createManualClock(at)
  return { clock, comparison: createComparison(pace, clock) }
}

const admitted = (comparison: Comparison): number[] => comparison.tally().rows.map((row) => row.admitted)

function play(name: WorkloadName, pace: Pace) {
  const { clock, comparison } = begun()
  comparison.begin(pace, name)
  clock.advance(60_000)
  expect(clock.pending).toBe(0)
  return { comparison, sent: comparison.tally().sent, admitted: admitted(comparison) }
}

const trace = (comparison: Comparison, name: string) =>
  comparison.trial().traces.find(({ row }) => row.name === name)!

// Token bucket, GCRA, leaky bucket, fixed window, log, counter. Windows are 2 s long.
it.each([
  // Requests at the rate are never refused.
  ['steady', 24, [24, 24, 24, 24, 24, 24]],
  // The burst and 3 a second until 7.83 s: 29.5. The windows: 6 in each of four.
  ['twice', 48, [29, 29, 29, 24, 24, 24]],
  // A window later the limits are full again, but the counter still counts most of the first burst.
  ['rest', 12, [12, 12, 12, 12, 12, 8]],
  // The buckets refill one token in the 0.6 s; the fixed window admits twice its limit in that time.
  ['boundary', 12, [7, 7, 7, 12, 6, 7]],
  // The bucket has 5.4 tokens at 6 s and refills 6 by 8 s, for 12 requests: one is refused.
  ['mixed', 24, [23, 23, 23, 18, 18, 18]],
] as const)('plays the workload %s of %d requests, and admits %j', (name, count, expected) => {
  const { sent, admitted } = play(name, pace)
  expect(sent).toBe(count)
  expect(admitted).toEqual(expected)
})

it('admits the expected share of each workload with every setting of the sliders', () => {
  for (const pace of paces) {
    const steady = play('steady', pace)
    expect(steady.admitted).toEqual(Array(6).fill(steady.sent))
    const across = play('boundary', pace)
    expect(across.admitted.slice(3, 5)).toEqual([2 * pace.burst, pace.burst])
    const rest = play('rest', pace)
    expect(rest.admitted.slice(0, 5)).toEqual(Array(5).fill(2 * pace.burst))
  }
})

it('sends each request to all limits at the same instant, from every source: ten a second while held', () => {
  const { clock, comparison } = begun()
  comparison.begin(pace, 'steady')
  clock.advance(3210)
  comparison.send()
  comparison.sendBurst()
  clock.advance(450)
  comparison.hold(true)
  expect(comparison.tally().playing).toBe('hold')
  clock.advance(500)
  comparison.hold(true)
  clock.advance(1500)
  comparison.hold(false)
  comparison.hold(false)
  clock.advance(5000)
  expect([comparison.tally().playing, clock.pending]).toEqual([undefined, 0])
  const instants = comparison.trial().sent.map(({ at }) => at)
  expect(instants).toContain(3210)
  expect(instants).toHaveLength(24 + 1 + 10 + 21)
  expect(instants).toEqual(instants.toSorted((a, b) => a - b))
  for (const { decisions } of comparison.trial().traces)
    expect(decisions.map(({ at }) => at)).toEqual(instants)
})

it.each<[how: string, byTimers: number, after: (clock: Clock) => Clock['after']]>([
  ['late', 0, () => () => () => undefined],
  ['early', 48, (clock) => (ms, callback) => clock.after(ms > 2 ? ms - 2 : ms, callback)],
])('makes the same decisions when timers are %s', (_, byTimers, after) => {
  const clock = createManualClock()
  const comparison = createComparison(pace, { ...clock, after: after(clock) })
  comparison.begin(pace, 'twice')
  clock.advance(9000)
  expect([comparison.tally().sent, clock.pending]).toEqual([byTimers, 0])
  comparison.advance()
  expect(comparison.tally().sent).toBe(48)
  expect(admitted(comparison)).toEqual(play('twice', pace).admitted)
})

it('restarts with another pace', () => {
  const { clock, comparison } = begun()
  comparison.hold(true)
  clock.advance(3000)
  comparison.begin({ ratePerSecond: 1, burst: 2 })
  expect(clock.pending).toBe(0)
  expect(comparison.tally()).toMatchObject({ sent: 0, playing: undefined })
  expect(comparison.trial().sent).toEqual([])
  for (const { capacity } of comparison.trial().traces) expect(capacity).toBe(2)
})

it('reports the playing workload until its last request, or until it is stopped', () => {
  const { clock, comparison } = begun()
  comparison.begin(pace, 'steady')
  clock.advance(7000)
  expect(comparison.tally().playing).toBe('steady')
  clock.advance(1000)
  expect(comparison.tally().playing).toBe(undefined)
  comparison.sendBurst()
  expect(comparison.tally().playing).toBe(undefined)

  comparison.begin(pace, 'twice')
  clock.advance(1000)
  const { sent } = comparison.tally()
  comparison.stop()
  expect(comparison.tally()).toMatchObject({ sent, playing: undefined })
  expect(clock.pending).toBe(0)
})

it('keeps the same tally object until a request', () => {
  const { clock, comparison } = begun()
  const before = comparison.tally()
  clock.advance(500)
  comparison.advance()
  expect(comparison.tally()).toBe(before)
})

it('is moving from the first request until all limits have been full for the visible time', () => {
  const { clock, comparison } = begun()
  expect(comparison.isMoving()).toBe(false)
  comparison.send()
  expect(comparison.isMoving()).toBe(true)
  // The counter is full last: when its estimate has less than one request of the window before.
  clock.advance(2020 + PAST_MS)
  comparison.advance()
  expect(comparison.isMoving()).toBe(false)
})

it('samples past levels between two advances', () => {
  const { clock, comparison } = begun(0)
  comparison.send()
  comparison.send()
  clock.advance(500)
  comparison.advance()
  const { samples } = trace(comparison, 'tokenBucket')
  expect(samples.slice(0, 5).map(({ level }) => level)).toEqual([6, 6, 5, 5, 4])
  expect(samples.find(({ at }) => at === 100)!.level).toBeCloseTo(4.3)
  expect(samples.at(-1)).toEqual({ at: 500, level: 5.5 })
  expect(trace(comparison, 'fixedWindow').samples.at(-1)).toEqual({ at: 500, level: 4 })
})

it('samples and keeps only the visible time after a long rest', () => {
  const { clock, comparison } = begun()
  comparison.begin(pace, 'twice')
  clock.advance(3_600_000)
  const remaining = vi.spyOn(trace(comparison, 'gcra').row.limiter, 'remaining')
  const now = comparison.advance()
  expect(remaining.mock.calls.length).toBeLessThan(600)
  comparison.send()
  expect(comparison.trial().sent).toHaveLength(1)
  for (const { samples, decisions } of comparison.trial().traces) {
    expect(decisions).toHaveLength(1)
    expect(samples.length).toBeLessThan(600)
    expect(samples[0]!.at).toBeLessThanOrEqual(now - PAST_MS)
    expect(samples[1]!.at).toBeGreaterThan(now - PAST_MS)
  }
})

it('puts close marks on different lines', () => {
  const { clock, comparison } = begun(0)
  for (const at of [0, 50, 100, 150, 400]) {
    clock.advance(at - clock.now())
    comparison.send()
  }
  expect(comparison.trial().sent.map(({ turn }) => turn)).toEqual([0, 1, 2, 0, 0])
})
