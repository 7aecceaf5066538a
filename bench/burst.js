// What one call costs in a burst, as a multiple of hand-written lazy functions that keep `this` and all arguments; lodash
// beside.
import lodash from 'lodash'
import { debounce, throttle } from '../dist/core/index.js'
import { compare, timed } from './measure.js'

const CALLS = 300_000
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
const burst = (make, runsExpected) => () => {
  let runs = 0
  const self = { held: make(() => runs++, WAIT_MS) }
  const ns = timed(CALLS, (count) => {
    for (let i = 0; i < count; i++) self.held(i, 'argument')
  })
  if (runs !== runsExpected) throw new Error(`${make.name}: ran ${runs} times, expected ${runsExpected}`)
  return ns
}

compare(`debounce, ${CALLS} calls`, {
  'by hand': burst(floorDebounce, 0),
  lull: burst(debounce, 0),
  lodash: burst(lodash.debounce, 0),
})
compare(`throttle, ${CALLS} calls`, {
  'by hand': burst(floorThrottle, 1),
  lull: burst(throttle, 1),
  lodash: burst(lodash.throttle, 1),
})
// The timers of the bursts are still set.
process.exit()
