import fc from 'fast-check'
import lodash from 'lodash'
import { debounce, throttle } from 'lull/core'
import type { ManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { edges, firstRunTooSoon, maxWaits, play, scripts, waits } from '../shared/scripts.ts'
import { forAll } from '../../laws/tries.ts'
import { createOneTimer } from './one-timer.ts'

// A test may run thousands of scripts, see `forAll`.
vi.setConfig({ testTimeout: 300_000 })

const oneTimer = createOneTimer()

/** Lodash on the time and the timers of a clock. */
const oracle = lodash.runInContext({
  Date: class extends Date {
    static override now = oneTimer.now
  },
  setTimeout: oneTimer.setTimeout,
  clearTimeout: oneTimer.clearTimeout,
})

function lodashOn(clock: ManualClock): typeof oracle {
  oneTimer.use(clock)
  return oracle
}

it.each([
  ['debounce', maxWaits],
  ['throttle', fc.constant(undefined)],
] as const)('%s runs and returns as lodash does, for every combination of options', (name, maxWaits) => {
  const make = { debounce, throttle }[name]
  let whole = 0
  let all = 0
  forAll(30_000, scripts, waits, maxWaits, edges, (script, wait, maxWait, edges) => {
    // To lodash an undefined one is 0.
    const options = { ...edges, ...(maxWait !== undefined && { maxWait }) }
    const ours = play(script, (fn, clock) => make(fn, wait, { ...options, clock }))
    const lodashs = play(script, (fn, clock) =>
      (lodashOn(clock)[name] as typeof oracle.debounce)(fn, wait, options),
    )
    // With a `maxWait`, lodash may run twice within `wait`: logs are compared up to the first such run.
    const hasMaxWait = name === 'throttle' || maxWait !== undefined
    const end = hasMaxWait ? firstRunTooSoon(lodashs, wait) : undefined
    if (hasMaxWait) expect(firstRunTooSoon(ours, wait)).toBe(undefined)
    if (!lodashs.some(({ what }) => what === 'flush')) expect(oneTimer.kept()).toBe(0)
    all++
    if (end === undefined) whole++
    expect(ours.slice(0, end)).toEqual(lodashs.slice(0, end))
  })
  expect(whole / all).toBeGreaterThan(0.9)
})
