import { debounce } from 'lull/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import * as byHand from '../../bench/by-hand/debounce.js'

const WAIT_MS = 100
const MAX_WAIT_MS = 250
/** Instants of calls: a burst longer than each wait, one alone, and one just after what ran. */
const instants = [0, 40, 80, 120, 160, 200, 240, 280, 320, 600, 800, 930, 940]

type Fn = (this: unknown, ...args: [number, string]) => void

/** Which of the calls ran, with what, and when. */
function runsOf(make: (fn: Fn) => Fn): unknown[] {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
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

it('the debounce by hand runs what ours does, when it does', () => {
  const runs = runsOf((fn) => byHand.debounce(fn, WAIT_MS))
  expect(runs).toEqual(runsOf((fn) => debounce(fn, WAIT_MS)))
  expect(runs[0]).toEqual([420, 'self', 320, 'argument'])
})

it('the full debounce by hand runs what ours does, when it does', () => {
  const runs = runsOf((fn) => byHand.fullDebounce(fn, WAIT_MS, MAX_WAIT_MS))
  expect(runs).toEqual(runsOf((fn) => debounce(fn, WAIT_MS, { leading: true, maxWait: MAX_WAIT_MS })))
  expect(runs.slice(0, 2)).toEqual([
    [0, 'self', 0, 'argument'],
    [250, 'self', 240, 'argument'],
  ])
})

// Ours lets a call after the last run of a burst wait for all of `wait` again, as lodash does.
it('the throttle by hand runs the first call, then the last every `wait`', () => {
  const runs = runsOf((fn) => byHand.throttle(fn, WAIT_MS)) as [number, string, number, string][]
  expect(runs.map(([at, self, call]) => `${self} ${call} at ${at}`)).toEqual([
    'self 0 at 0',
    'self 80 at 100',
    'self 160 at 200',
    'self 280 at 300',
    'self 320 at 400',
    'self 600 at 600',
    'self 800 at 800',
    'self 930 at 930',
    'self 940 at 1030',
  ])
})
