import Bottleneck from 'bottleneck'
import PQueue from 'p-queue'
import pThrottle from 'p-throttle'
import { createRateLimitedFetch } from '../../dist/fetch/index.js'
import { each, timedAsync } from '../measure.js'

const CALLS = 3000
/** Of what sets a timer for each. */
const FEW_CALLS = 30
const URL_ASKED = 'https://api.test/things/1'

const response = new globalThis.Response('answer', { headers: { 'content-type': 'text/plain' } })
const answer = async () => response

const calls = (init) => (fetch, name) => async () => {
  const ns = await timedAsync(name === 'Bottleneck' ? FEW_CALLS : CALLS, async (count) => {
    for (let call = 0; call < count; call++)
      if ((await fetch(URL_ASKED, init)) !== response) throw new Error('Another response')
  })
  return ns / 1000
}

const queue = new PQueue()
const bottleneck = new Bottleneck()

const fetches = {
  'a wrapper by hand': async (input, init) => {
    const answered = await answer(input, init)
    return answered
  },
  lull: createRateLimitedFetch({ fetch: answer }),
  'p-throttle': pThrottle({ limit: 1e9, interval: 1000 })(answer),
  'p-queue': (input, init) => queue.add(() => answer(input, init)),
  Bottleneck: (input, init) => bottleneck.schedule(answer, input, init),
}

export default () => [
  {
    title: 'A paced call that nothing holds back',
    about:
      'Of a `fetch` that answers at once: lull reads the request, finds its bucket and judges the answer; the others wait in line for nothing.',
    unit: 'µs',
    rounds: 11,
    warmUp: 3,
    candidates: each(fetches, calls(undefined)),
  },
  {
    title: 'The same with a signal',
    about: 'The others only hand it on.',
    unit: 'µs',
    rounds: 11,
    warmUp: 3,
    candidates: each(fetches, calls({ signal: new globalThis.AbortController().signal })),
  },
]
