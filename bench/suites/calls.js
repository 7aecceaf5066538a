import * as pacer from '@tanstack/pacer'
import * as toolkit from 'es-toolkit'
import * as compat from 'es-toolkit/compat'
import lodash from 'lodash'
import * as byHand from '../by-hand/debounce.js'
import * as lull from '../../dist/core/index.js'
import { each, timed } from '../measure.js'

const CALLS = 50_000
const WAIT_MS = 10_000
const MAX_WAIT_MS = 20_000
const QUICK_MS = 5

/** Returns the ns per call of calls in quick succession, with two arguments and a `this`. */
const burst = (make, runsExpected) => () => {
  let runs = 0
  const self = { held: make(() => runs++, WAIT_MS, MAX_WAIT_MS) }
  const ns = timed(CALLS, (count) => {
    for (let i = 0; i < count; i++) self.held(i, 'argument')
  })
  if (runs !== runsExpected) throw new Error(`${make}: ran ${runs} times, expected ${runsExpected}`)
  return ns
}

/** Makes three calls at once, and returns which of them have run after the wait. */
async function runsOfThree(make) {
  const runs = []
  const held = make((...args) => runs.push(args), QUICK_MS, 2 * QUICK_MS)
  for (const call of [1, 2, 3]) held(call, 'argument')
  await new Promise((resolve) => setTimeout(resolve, 10 * QUICK_MS))
  return runs.map(([call, argument]) => `${call} ${argument}`).join(', ')
}

/** Makes the candidates, after a check that each runs what is expected and nothing else. */
async function bursts(makers, expected) {
  for (const [name, make] of Object.entries(makers)) {
    const runs = await runsOfThree(make)
    if (runs !== expected) throw new Error(`${name}: ran ${runs}, expected ${expected}`)
  }
  const during = expected.includes(',') ? 1 : 0
  return each(makers, (make) => burst(make, during))
}

export default async () => [
  {
    title: 'Debounce, in a burst',
    about: 'A call that is one of 50,000 at once, with two arguments and a `this`.',
    unit: 'ns',
    goal: { row: 'lull', ratio: 1.15 },
    candidates: await bursts(
      {
        'by hand': byHand.debounce,
        lull: (fn, wait) => lull.debounce(fn, wait),
        lodash: lodash.debounce,
        'es-toolkit': toolkit.debounce,
        'es-toolkit/compat': compat.debounce,
        'TanStack Pacer': (fn, wait) => pacer.debounce(fn, { wait }),
      },
      '3 argument',
    ),
  },
  {
    title: 'Debounce with `leading`, `trailing` and `maxWait`, in a burst',
    about:
      'The same, with a run at the first call too, and one every `maxWait`. Libraries without `maxWait` are left out.',
    unit: 'ns',
    goal: { row: 'lull', ratio: 1.2 },
    candidates: await bursts(
      {
        'by hand': byHand.fullDebounce,
        lull: (fn, wait, maxWait) => lull.debounce(fn, wait, { leading: true, maxWait }),
        lodash: (fn, wait, maxWait) => lodash.debounce(fn, wait, { leading: true, maxWait }),
        'es-toolkit/compat': (fn, wait, maxWait) => compat.debounce(fn, wait, { leading: true, maxWait }),
      },
      '1 argument, 3 argument',
    ),
  },
  {
    title: 'Throttle, inside the window',
    about: 'A call less than `wait` after a run, which waits for the next run.',
    unit: 'ns',
    goal: { row: 'lull', ratio: 1.15 },
    candidates: await bursts(
      {
        'by hand': byHand.throttle,
        lull: (fn, wait) => lull.throttle(fn, wait),
        lodash: lodash.throttle,
        'es-toolkit': toolkit.throttle,
        'es-toolkit/compat': compat.throttle,
        'TanStack Pacer': (fn, wait) => pacer.throttle(fn, { wait }),
      },
      '1 argument, 3 argument',
    ),
  },
]
