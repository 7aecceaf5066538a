import { debounce } from 'lull/core'
import { expect, it, vi } from 'vitest'
import * as byHand from '../../bench/by-hand/debounce.js'

const WAIT_MS = 100
const MAX_WAIT_MS = 250
/** Instants of calls: a burst longer than each wait, a single call, and one just after a run. */
const instants = [0, 40, 80, 120, 160, 200, 240, 280, 320, 600, 800, 930, 940]

type Fn = (this: unknown, ...args: [number, string]) => void

/** Returns the runs, with their arguments and instants. */
function runsOf(make: (fn: Fn) => Fn): unknown[] {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const start = performance.now()
  const runs: unknown[] = []
  const held = make(function (...args) {
    runs.push([performance.now() - start, this, ...args])
  })
  const self = { name: 'self', held }
  for (const instant of instants) {
    vi.advanceTimersByTime(start + instant - performance.now())
    self.held(instant, 'argument')
  }
  vi.runAllTimers()
  vi.useRealTimers()
  return runs.map((run) => (run as unknown[]).map((part) => (part === self ? 'self' : part)))
}

it('the handwritten debounce runs the same calls as ours, at the same instants', () => {
  const runs = runsOf((fn) => byHand.debounce(fn, WAIT_MS))
  expect(runs).toEqual(runsOf((fn) => debounce(fn, WAIT_MS)))
  expect(runs[0]).toEqual([420, 'self', 320, 'argument'])
})

it('the handwritten full debounce runs the same calls as ours, at the same instants', () => {
  const runs = runsOf((fn) => byHand.fullDebounce(fn, WAIT_MS, MAX_WAIT_MS))
  expect(runs).toEqual(runsOf((fn) => debounce(fn, WAIT_MS, { leading: true, maxWait: MAX_WAIT_MS })))
  expect(runs.slice(0, 2)).toEqual([
    [0, 'self', 0, 'argument'],
    [250, 'self', 240, 'argument'],
  ])
})

// Ours delays a call after the last run of a burst by the whole `wait` again, as lodash does.
it('the handwritten throttle runs the first call, then the last every `wait`', () => {
  const runs = runsOf((fn) => byHand.throttle(fn, WAIT_MS)) as [at: number, self: string, call: number][]
  expect(new Set(runs.map(([, self]) => self))).toEqual(new Set(['self']))
  const said = runs.map(([at, , call]) => `${call}@${at}`).join(' ')
  expect(said).toBe('0@0 80@100 160@200 280@300 320@400 600@600 800@800 930@930 940@1030')
})
