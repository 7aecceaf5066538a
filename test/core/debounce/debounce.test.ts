import { debounce, debounceKeyed, throttle, throttleFrame, type Clock } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createTestClock } from '../time/clocks.ts'

// debounce-lodash.test.ts has its timing, and that of throttle; laws.test.ts what they share with other call shapers.

it.each([
  ['debounce', debounce, [100]],
  ['throttle', throttle, [0, 100]],
])('%s has its default edges where they are undefined', (_, make, instants) => {
  const clock = createTestClock()
  const runs: number[] = []
  const held = make(() => runs.push(clock.now()), 100, { leading: undefined, trailing: undefined, clock })
  held()
  held()
  clock.advance(1000)
  expect(runs).toEqual(instants)
})

it.each(['debounce', 'debounceKeyed'])('%s delays a call after configure behind a late timer', (name) => {
  const manual = createTestClock()
  let lateMs = 5
  const clock: Clock = { ...manual, after: (ms, callback) => manual.after(ms + lateMs, callback) }
  const runs: [n: number, at: number][] = []
  const run = (n: number): unknown => runs.push([n, manual.now()])
  const held =
    name === 'debounce' ? debounce(run, 10, { clock }) : debounceKeyed(run, 10, { clock, key: () => 'key' })
  held(1)
  manual.advance(12)
  lateMs = 0
  // It is due, so its timer has a delay of 0.
  held.configure({ wait: 10 })
  held(2)
  manual.advance(100)
  expect(runs).toEqual([[2, 22]])
})

it('debounce sets no timer for a run at the first call', () => {
  const clock = createTestClock()
  const held = debounce(() => undefined, 100, { leading: true, clock })
  held()
  expect(clock.pending).toBe(0)
})

type Run = (n: number) => unknown

describe.each([
  ['debounce', (run: Run, wait: number, clock: Clock) => debounce(run, wait, { clock })],
  [
    'debounceKeyed',
    (run: Run, wait: number, clock: Clock) => debounceKeyed(run, wait, { clock, key: () => 'key' }),
  ],
] as const)('%s', (_, make) => {
  it.each([
    [2, 1100],
    [3, 1097],
  ])('runs once when its timer fires %s ms early: at %s', (earlyMs, at) => {
    const manual = createTestClock(1000)
    const clock: Clock = {
      ...manual,
      after: (ms, callback) => manual.after(ms === 100 ? 100 - earlyMs : ms, callback),
    }
    const runs: number[] = []
    make(() => runs.push(manual.now()), 100, clock)(1)
    manual.advance(1000)
    expect(runs).toEqual([at])
  })

  it('runs its last call when its timer fires, by a clock that hardly moves', () => {
    const manual = createTestClock()
    const clock: Clock = { ...manual, now: () => manual.now() / 10 }
    const runs: [n: number, at: number][] = []
    const held = make((n) => runs.push([n, manual.now()]), 100, clock)
    held(1)
    manual.advance(50)
    held(2)
    manual.advance(1000)
    expect(runs).toEqual([[2, 100]])
  })

  // As that of Firefox when it resists fingerprinting.
  it('runs once after many calls by a coarse clock', () => {
    for (let startMs = 0; startMs < 100; startMs++) {
      const manual = createTestClock(startMs)
      const clock: Clock = { ...manual, now: () => Math.floor(manual.now() * 0.06) / 0.06 }
      const runs: number[] = []
      const held = make((n) => runs.push(n), 290, clock)
      for (let n = 1; n <= 100; n++) {
        held(n)
        manual.advance(20 + ((n * 37) % 80))
      }
      expect(runs).toEqual([])
      manual.advance(290)
      expect(runs).toEqual([100])
    }
  })
})

// The manual clock has a frame every 16 ms.
function setUpFrames(change: (clock: Clock) => Clock = (clock) => clock) {
  const manual = createTestClock()
  const clock = change(manual)
  const runs: string[] = []
  const throttled = throttleFrame((n: number) => void runs.push(`${manual.now()}: ${n}`), { clock })
  return { manual, throttled, runs }
}

const never = () => () => undefined
it.each<[string, (clock: Clock) => Clock]>([
  ['the clock has no frames', ({ now, wall, after }) => ({ now, wall, after })],
  ['none comes', (clock) => ({ ...clock, frame: never })],
  ['a frame comes too late', (clock) => ({ ...clock, frame: (callback) => clock.after(3000, callback) })],
])('throttleFrame runs after 100 ms if %s', (_, change) => {
  const { manual, throttled, runs } = setUpFrames(change)
  throttled(1)
  manual.advance(50)
  throttled(2)
  manual.advance(49)
  expect(runs).toEqual([])
  manual.advance(1)
  expect(runs).toEqual(['100: 2'])
  manual.advance(10_000)
  throttled(3)
  manual.advance(10_000)
  expect(runs).toEqual(['100: 2', '10200: 3'])
})
