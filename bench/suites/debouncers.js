import * as pacer from '@tanstack/pacer'
import * as toolkit from 'es-toolkit'
import lodash from 'lodash'
import * as byHand from '../by-hand/debounce.js'
import * as lull from '../../dist/core/index.js'
import { bytesKept, each, timed } from '../measure.js'

const COUNT = 100_000
const WAIT_MS = 1e8

let runs = 0
const fn = () => runs++

const makers = {
  'by hand': () => byHand.debounce(fn, WAIT_MS),
  lull: () => lull.debounce(fn, WAIT_MS),
  lodash: () => lodash.debounce(fn, WAIT_MS),
  'es-toolkit': () => toolkit.debounce(fn, WAIT_MS),
  'TanStack Pacer': () => pacer.debounce(fn, { wait: WAIT_MS }),
}

function makeAll(make) {
  const all = new Array(COUNT)
  for (let i = 0; i < COUNT; i++) all[i] = make()
  return all
}

const creation = (make) => () => {
  globalThis.gc()
  let all
  const ns = timed(COUNT, () => (all = makeAll(make)))
  if (new Set(all).size !== COUNT) throw new Error('Some are the same function')
  return ns
}

/** The timers set in a round, to be cleared at its end. Allocated beforehand, so that it adds no bytes. */
const timers = new Array(2 * COUNT).fill()
let timerCount = 0
const { setTimeout: platformSetTimeout } = globalThis
globalThis.setTimeout = (...args) => (timers[timerCount++] = platformSetTimeout(...args))

const bytes = (make, isCalled) => () => {
  runs = timerCount = 0
  const { bytes, kept } = bytesKept(() => {
    const all = makeAll(make)
    if (isCalled) for (const held of all) held('argument')
    return all
  })
  if (runs > 0 || timerCount !== (isCalled ? kept.length : 0))
    throw new Error(`${runs} runs, ${timerCount} timers`)
  for (let i = 0; i < timerCount; i++) clearTimeout(timers[i])
  timers.fill()
  return bytes / COUNT
}

export default () => [
  {
    title: 'Making 100,000 debounced functions',
    about:
      'The time to make one of them. By hand there is no `cancel`, no `flush` and no check of an option.',
    unit: 'ns',
    goal: { row: 'lull', ratio: 2 },
    rounds: 7,
    warmUp: 2,
    candidates: each(makers, creation),
  },
  {
    title: 'Bytes of 100,000 debounced functions, idle',
    about: 'The heap that one of them takes before it is called.',
    unit: 'bytes',
    rounds: 3,
    warmUp: 1,
    candidates: each(makers, (make) => bytes(make, false)),
  },
  {
    title: 'Bytes of 100,000 debounced functions, pending',
    about: 'The same after a call, with the timer and the arguments.',
    unit: 'bytes',
    goal: { row: 'lull', median: 1600 },
    rounds: 3,
    warmUp: 1,
    candidates: each(makers, (make) => bytes(make, true)),
  },
]
