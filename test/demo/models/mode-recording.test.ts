import fc from 'fast-check'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { createModeBench } from '../../../demo/src/playground/modes/mode-bench.ts'
import { laneNames } from '../../../demo/src/playground/modes/mode-lanes.ts'
import { createModeRecording } from '../../../demo/src/playground/modes/mode-recording.ts'
import { stormOf } from '../../../demo/src/playground/modes/storm.ts'
import { createDemoTime } from '../../../demo/src/time/demo-time.ts'
import { forAll } from '../../laws/tries.ts'

const timing = { wait: 100, maxWait: 250 }
const burst = [0, 50, 100, 150, 200, 250, 300]

it('gives each lane the same events', () => {
  const bench = createModeBench(burst, timing)
  bench.goTo(1000)
  expect(bench.runs).toEqual({
    leading: [0],
    trailing: [400],
    both: [0, 400],
    maxWait: [250, 400],
    throttle: [0, 100, 200, 300, 400],
    frame: [16, 64, 112, 160, 208, 256, 304],
  })
  expect(laneNames.filter(bench.isPending)).toEqual([])
})

it('gives the same runs in one step and in many', () => {
  const instants = fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 60 })
  forAll(200, instants, fc.array(fc.double({ min: 0, max: 3000, noNaN: true })), (events, stops) => {
    const inOrder = events.sort((a, b) => a - b)
    const atOnce = createModeBench(inOrder, timing)
    atOnce.goTo(3000)
    const stepped = createModeBench(inOrder, timing)
    for (const stop of stops.sort((a, b) => a - b)) stepped.goTo(stop)
    stepped.goTo(3000)
    expect(stepped.runs).toEqual(atOnce.runs)
  })
})

function setUp() {
  const real = createManualClock()
  const time = createDemoTime(real)
  const recording = createModeRecording(time, timing)
  /** Advances in steps of 10 ms, like a picture that is drawn in each frame. */
  function pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += 10) {
      real.advance(10)
      time.catchUp()
      recording.advance()
    }
  }
  return { time, recording, pass }
}

it('records events at their instants, and stops at the end', () => {
  const { recording, pass } = setUp()
  recording.add()
  pass(50)
  recording.add()
  expect(recording.events()).toEqual([0, 50])
  expect(recording.isMoving()).toBe(true)
  pass(5000)
  expect(recording.isMoving()).toBe(false)
  expect(recording.tally()).toMatchObject({ at: 50 + 250 + 700, end: 1000, events: 2 })
  // The time after the end is not recorded.
  recording.add()
  expect(recording.events()).toEqual([0, 50, 1000])
})

it('inserts an event in the middle of the recording', () => {
  const { recording } = setUp()
  recording.addAll(stormOf(100, 10))
  recording.seek(505)
  recording.add()
  const events = recording.events()
  expect(events).toHaveLength(101)
  expect(events).toContain(505)
  expect(events).toEqual([...events].sort((a, b) => a - b))
  recording.seek(3000)
  const expected = createModeBench(events, timing)
  expected.goTo(recording.tally().at)
  expect(recording.bench().runs).toEqual(expected.runs)
})

it('is full at 20,000 events, and drops further ones', () => {
  const { recording } = setUp()
  recording.addAll(stormOf(30_000, 1))
  expect(recording.events()).toHaveLength(20_000)
  expect(recording.tally().isFull).toBe(true)
  recording.add()
  expect(recording.events()).toHaveLength(20_000)
  recording.clear()
  expect(recording.tally()).toMatchObject({ at: 0, end: 0, events: 0, isFull: false })
})
