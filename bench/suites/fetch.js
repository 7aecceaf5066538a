import Bottleneck from 'bottleneck'
import PQueue from 'p-queue'
import pThrottle from 'p-throttle'
import { composeRateLimitedFetch, createRateLimitedFetch } from '../../dist/fetch/index.js'
import { each, timedAsync } from '../measure.js'

const CALLS = 3000
/** For a library that sets a timer for each call. */
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
  'lull, composeRateLimitedFetch': composeRateLimitedFetch({ fetch: answer }),
  'p-throttle': pThrottle({ limit: 1e9, interval: 1000 })(answer),
  'p-queue': (input, init) => queue.add(() => answer(input, init)),
  Bottleneck: (input, init) => bottleneck.schedule(answer, input, init),
}

/** Returns a fetch with `readers` subscribers that read its state, and with `buckets` buckets. */
async function readBy(readers, buckets = 1) {
  const fetch = createRateLimitedFetch({ fetch: answer })
  for (let other = 1; other < buckets; other++) await fetch(`https://${other}.test/`)
  for (let reader = 0; reader < readers; reader++) fetch.subscribe(() => fetch.snapshot())
  return fetch
}

const readers = {
  'no reader': await readBy(0),
  'one reader of the snapshot': await readBy(1),
  '20 readers of the snapshot': await readBy(20),
  '20 readers, 256 buckets': await readBy(20, 256),
}

export default () => [
  {
    title: 'A rate-limited call that nothing holds back',
    about:
      'The inner `fetch` responds at once. lull reads the request, finds its bucket and classifies the response; the others only queue.',
    goal: { row: 'lull', median: 4 },
    unit: 'µs',
    rounds: 11,
    warmUp: 3,
    candidates: each(fetches, calls(undefined)),
  },
  {
    title: 'The same with a signal',
    about: 'The others only pass it on.',
    unit: 'µs',
    rounds: 11,
    warmUp: 3,
    candidates: each(fetches, calls({ signal: new globalThis.AbortController().signal })),
  },
  {
    title: 'A rate-limited call whose state is shown',
    about: 'Each reader reads the snapshot at every change.',
    goal: { row: '20 readers, 256 buckets', ratio: 3 },
    unit: 'µs',
    rounds: 11,
    warmUp: 3,
    candidates: each(readers, calls(undefined)),
  },
]
