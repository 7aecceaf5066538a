import FakeTimers from '@sinonjs/fake-timers'
import * as pacer from '@tanstack/pacer'
import * as toolkit from 'es-toolkit'
import lodash from 'lodash'
import * as byHand from '../by-hand/debounce.js'
import * as lull from '../../dist/core/index.js'

const CALLS = 1000
const EVERY_MS = 50
const WAIT_MS = 300

/** Counts the calls of `setTimeout` and `clearTimeout` per call, with a call every `EVERY_MS`, on a fake clock. */
const timerCalls = (make) => () => {
  const clock = FakeTimers.install({
    now: 1e12,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
  })
  try {
    let count = 0
    for (const name of ['setTimeout', 'clearTimeout']) {
      const own = globalThis[name]
      globalThis[name] = (...args) => {
        count++
        return own(...args)
      }
    }
    const runs = []
    const held = make((call) => runs.push(call), WAIT_MS)
    for (let call = 1; call <= CALLS; call++) {
      held(call)
      clock.tick(EVERY_MS)
    }
    clock.tick(WAIT_MS)
    if (String(runs) !== String(CALLS)) throw new Error(`ran ${runs}, expected ${CALLS}`)
    return count / CALLS
  } finally {
    clock.uninstall()
  }
}

export default () => [
  {
    title: 'Timer calls per debounced call',
    about:
      'Calls of `setTimeout` and `clearTimeout`: someone types 1,000 letters, one every 50 ms, and `wait` is 300 ms.',
    unit: 'calls',
    rounds: 3,
    warmUp: 0,
    candidates: {
      'by hand': timerCalls(byHand.debounce),
      lull: timerCalls(lull.debounce),
      lodash: timerCalls(lodash.debounce),
      'es-toolkit': timerCalls(toolkit.debounce),
      'TanStack Pacer': timerCalls((fn, wait) => pacer.debounce(fn, { wait })),
    },
  },
]
