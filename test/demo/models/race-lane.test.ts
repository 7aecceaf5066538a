import { expect, it } from 'vitest'
import { countsOf, emptyLane, endedBy } from '../../../demo/src/race/race-lane.ts'

it('ends a pause with the first request that succeeds', () => {
  const pauses = [
    { from: 0, to: 900 },
    { from: 100, to: 2000 },
    { from: 1500, to: 3000 },
  ]
  expect(endedBy(1000, pauses)).toEqual([pauses[0], { from: 100, to: 1000 }, pauses[2]])
})

it('counts each request once, and those that were refused in a pause', () => {
  const requests = [
    { at: 50, outcome: 'refused' },
    { at: 200, outcome: 'refused' },
    { at: 300, outcome: 'aborted' },
    { at: 900, outcome: 'ok' },
  ] as const
  const lane = { ...emptyLane('ky'), requests, pauses: [{ from: 100, to: 900 }] }
  expect(countsOf(lane)).toEqual({ requests: 4, refused: 2, intoPause: 1, answered: 1, cancelled: 1 })
})
