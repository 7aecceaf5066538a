import assert from 'node:assert'
import { createNative } from './native-globals.js'

const { load, run } = createNative()
load('fetch')

const said = await run(`(async () => {
  const { createRateLimitedFetch, dedupeFetch, isRateLimitError, parseRetryAfter, readRateLimit, supersedeFetch } = lullFetch
  const url = 'https://api.example/things?page=2'
  const said = {}

  const headers = new Headers({ RateLimit: '"burst";r=3;t=9' })
  const { source, limits } = readRateLimit(headers, { now: 0 })
  said.headers = [parseRetryAfter('2'), source, limits.length].join()

  const sent = []
  const answers = []
  globalThis.fetch = async (url, init) => {
    sent.push([url, init?.method ?? 'GET', init?.body].join(' '))
    const status = answers.shift() ?? 200
    return new Response('text', { status, headers: status === 429 ? { 'Retry-After': '0' } : {} })
  }
  const soon = { backoff: () => 0, random: () => 0 }

  answers.push(429)
  said.retried = (await (await createRateLimitedFetch(soon)(url)).text()) + sent.splice(0).length

  const body = JSON.stringify({ name: 'thing' })
  const posted = await createRateLimitedFetch(soon)(url, { method: 'POST', body, headers: { accept: 'a/b' } })
  said.posted = [posted.status, ...sent.splice(0)].join()

  await createRateLimitedFetch(soon)(new Request(url, { method: 'PUT', body: 'text' }))
  said.request = sent.splice(0).length

  answers.push(429)
  const refused = await createRateLimitedFetch({ maxRetries: 0, throwOnThrottle: true })(url).catch((error) => error)
  said.refused = [isRateLimitError(refused), refused.code].join()

  // Never settles.
  globalThis.fetch = () => new Promise(() => undefined)
  const fetch = createRateLimitedFetch({ concurrency: 1 })
  const controller = new AbortController()
  const nameOf = (promise) => promise.then(String, (error) => String(error?.name))
  const inFlight = nameOf(fetch(url, { signal: controller.signal }))
  const queued = nameOf(fetch(url, { signal: controller.signal }))
  controller.abort()
  said.aborted = [await inFlight, await queued, await nameOf(fetch(url, { signal: controller.signal }))].join()

  const wrapped = new AbortController()
  const calls = [dedupeFetch, supersedeFetch].map((wrap) => nameOf(wrap(fetch)(url, { signal: wrapped.signal })))
  wrapped.abort()
  said.wrapped = (await Promise.all(calls)).join()

  said.late = await nameOf(createRateLimitedFetch({ attemptTimeoutMs: 10, maxRetries: 0 })(url))

  const first = createRateLimitedFetch({ concurrency: 1 })
  void first(url)
  const left = first(url)
  first.dispose()
  said.disposed = await nameOf(left)
  return said
})()`)

assert.deepEqual(
  { ...said },
  {
    headers: '2000,ratelimit,1',
    retried: 'text2',
    posted: '200,https://api.example/things?page=2 POST {"name":"thing"}',
    request: 1,
    refused: 'true,throttled',
    aborted: 'AbortError,AbortError,AbortError',
    wrapped: 'AbortError,AbortError',
    late: 'TimeoutError',
    disposed: 'AbortError',
  },
)
