// What one call costs in a burst of 300,000, as a multiple of hand-written lazy functions that keep `this` and all
// arguments; lodash beside. One process, rounds interleaved, medians of the ratios round by round.
import lodash from 'lodash'
import { debounce, throttle } from '../dist/core/index.js'

const CALLS = 300_000
const ROUNDS = 31
const WAIT_MS = 10_000

function floorDebounce(fn, wait) {
  let timer, lastCall, args, self
  function expire() {
    const rest = lastCall + wait - performance.now()
    if (rest > 0) timer = setTimeout(expire, rest)
    else {
      const withArgs = args
      const withSelf = self
      timer = args = self = undefined
      fn.apply(withSelf, withArgs)
    }
  }
  return function (...now) {
    lastCall = performance.now()
    args = now
    self = this
    if (timer === undefined) timer = setTimeout(expire, wait)
  }
}

function floorThrottle(fn, wait) {
  let timer, args, self
  let lastRun = -Infinity
  function expire() {
    const withArgs = args
    const withSelf = self
    timer = args = self = undefined
    lastRun = performance.now()
    fn.apply(withSelf, withArgs)
  }
  return function (...now) {
    const time = performance.now()
    if (time - lastRun >= wait) {
      lastRun = time
      fn.apply(this, now)
    } else {
      args = now
      self = this
      if (timer === undefined) timer = setTimeout(expire, lastRun + wait - time)
    }
  }
}

/** Ns per call, of calls with two arguments and a `this`. Checks that nothing ran that should not have. */
function measure(make, runsExpected) {
  let runs = 0
  const self = { held: make(() => runs++, WAIT_MS) }
  const start = process.hrtime.bigint()
  for (let i = 0; i < CALLS; i++) self.held(i, 'argument')
  const ns = Number(process.hrtime.bigint() - start)
  if (runs !== runsExpected) throw new Error(`${make.name}: ran ${runs} times, expected ${runsExpected}`)
  return ns / CALLS
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]

function compare(title, floor, candidates, runsExpected) {
  const times = new Map([['floor', []], ...Object.keys(candidates).map((name) => [name, []])])
  // The first rounds warm up.
  for (let round = -5; round < ROUNDS; round++) {
    for (const [name, make] of [['floor', floor], ...Object.entries(candidates)]) {
      const ns = measure(make, runsExpected)
      if (round >= 0) times.get(name).push(ns)
    }
  }
  console.log(`\n${title}: ${CALLS} calls, medians of ${ROUNDS} rounds`)
  const floorTimes = times.get('floor')
  for (const [name, own] of times) {
    const ratios = own.map((ns, round) => ns / floorTimes[round]).sort((a, b) => a - b)
    const spread = `${ratios[ROUNDS >> 2].toFixed(2)}–${ratios[(3 * ROUNDS) >> 2].toFixed(2)}`
    console.log(
      `${name.padEnd(8)} ${median(own).toFixed(1).padStart(7)} ns  ${median(ratios).toFixed(2)} × (${spread})`,
    )
  }
}

compare('debounce', floorDebounce, { lull: debounce, lodash: lodash.debounce }, 0)
compare('throttle', floorThrottle, { lull: throttle, lodash: lodash.throttle }, 1)
// The timers of the bursts are still set.
process.exit()
