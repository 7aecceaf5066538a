import { debounce } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'

it('a call after a configure is waited for, though the timer before it is late', () => {
  const clock = createManualClock()
  let lateMs = 5
  const runs: [n: number, at: number][] = []
  const held = debounce((n: number) => runs.push([n, clock.now()]), 10, {
    clock: { now: clock.now, after: (ms, callback) => clock.after(ms + lateMs, callback) },
  })
  held(1)
  clock.advance(12)
  lateMs = 0
  // It is due, so its timer is one of no time.
  held.configure({ wait: 10 })
  held(2)
  clock.advance(100)
  expect(runs).toEqual([[2, 22]])
})
