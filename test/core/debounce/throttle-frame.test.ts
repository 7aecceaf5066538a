import { throttleFrame, type Clock } from 'lull/core'
import { expect, it } from 'vitest'
import { createTestClock } from '../time/clocks.ts'

// laws.test.ts has what it shares with debounce and throttle. The manual clock has a frame every 16 ms.

function setUp(change: (clock: Clock) => Clock = (clock) => clock) {
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
])('runs after 100 ms if %s', (_, change) => {
  const { manual, throttled, runs } = setUp(change)
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
