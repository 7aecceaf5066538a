// Each client is set up as its manual suggests, without knowing the limit. None gives up, and each sends with the given
// `fetch`, which keeps the log.
import axios from 'axios'
import axiosRetry, { exponentialDelay, isNetworkOrIdempotentRequestError } from 'axios-retry'
import Bottleneck from 'bottleneck'
import ky from 'ky'
import PQueue from 'p-queue'
import pRetry from 'p-retry'
import pThrottle from 'p-throttle'
import { makeOmniscient } from './omniscient.js'
import { makeOurs } from './ours.js'

const ENOUGH = 1000

/** The guesses for clients that need a limit: requests at once, and per second. */
const CONCURRENCY = 10
const PER_SECOND = 10

class StatusError extends Error {
  constructor({ status, headers }) {
    super(`The status is ${status}`)
    this.retryAfterMs = headers.has('retry-after') ? Number(headers.get('retry-after')) * 1000 : undefined
  }
}

/** Returns a function that resolves with the status 200, or rejects. */
const getWith =
  ({ fetch, url }) =>
  async () => {
    const response = await fetch(url)
    if (!response.ok) throw new StatusError(response)
    return response.status
  }

/** Retries after 500 ms · 2^n, times a random factor from 1 to 2. */
const retried = (get) => pRetry(get, { retries: ENOUGH, minTimeout: 500, randomize: true })

const kyClient = ({ fetch, url }) => {
  const client = ky.create({ fetch, timeout: false, retry: { limit: ENOUGH } })
  return async () => (await client(url)).status
}

const axiosClient = ({ fetch, url }) => {
  const client = axios.create({ adapter: 'fetch', env: { fetch } })
  axiosRetry(client, {
    retries: ENOUGH,
    retryDelay: exponentialDelay,
    retryCondition: (error) => isNetworkOrIdempotentRequestError(error) || error.response?.status === 429,
  })
  return async () => (await client.get(url)).status
}

const bottleneckClient = (way) => {
  const limiter = new Bottleneck({ maxConcurrent: CONCURRENCY })
  limiter.on('failed', ({ retryAfterMs }, { retryCount }) => retryAfterMs ?? 500 * 2 ** retryCount)
  return () => limiter.schedule(getWith(way))
}

const throttleClient = (way) => {
  const get = pThrottle({ limit: PER_SECOND, interval: 1000 })(getWith(way))
  return () => retried(get)
}

const queueClient = (way) => {
  const queue = new PQueue({ concurrency: CONCURRENCY })
  const get = getWith(way)
  return () => queue.add(() => retried(get))
}

/** Maps names to the `makeClient` of `runRace`. */
export const makeClients = (createRateLimitedFetch) => ({
  omniscient: makeOmniscient,
  lull: makeOurs(createRateLimitedFetch),
  'fetch + p-retry': (way) => {
    const get = getWith(way)
    return () => retried(get)
  },
  ky: kyClient,
  'axios-retry': axiosClient,
  [`Bottleneck, ${CONCURRENCY} at once`]: bottleneckClient,
  [`p-throttle, ${PER_SECOND} a second, + p-retry`]: throttleClient,
  [`p-queue, ${CONCURRENCY} at once, + p-retry`]: queueClient,
})
