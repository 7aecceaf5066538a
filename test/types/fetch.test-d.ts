import { RateLimitError } from 'lull/core'
import {
  createRateLimitedFetch,
  isRateLimitError,
  composeRateLimitedFetch,
  parseRetryAfter,
  priorities,
  queueTimeout,
  retryAfterMs,
  type BucketSnapshot,
  type ComposeOptions,
  type FetchEvent,
  type FetchSnapshot,
  type Policy,
  type RateLimitedFetch,
  type RateLimitedFetchOptions,
  type ThrottledError,
} from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { expectTypeOf, it } from 'vitest'

const f = createRateLimitedFetch()

it('RateLimitedFetch is assignable to typeof fetch, and takes its arguments', () => {
  globalThis.fetch = f
  expectTypeOf(f).returns.toEqualTypeOf<Promise<Response>>()
  // @ts-expect-error: not a number
  void f(5)
  // @ts-expect-error: no such mode
  void f('https://a.test', { mode: 'fast' })
})

it('RateLimitedFetch has methods that take a key or none', () => {
  for (const method of [f.pause, f.resume, f.reset])
    expectTypeOf(method).parameters.toEqualTypeOf<[key?: string | undefined]>()
  expectTypeOf(f[Symbol.dispose]).toBeFunction()
  expectTypeOf(f).toEqualTypeOf<RateLimitedFetch>()
})

it('RateLimitedFetch has snapshots that are read-only', () => {
  expectTypeOf(f.snapshot()).toEqualTypeOf<FetchSnapshot>()
  expectTypeOf(f.snapshot('https://a.test')).toEqualTypeOf<BucketSnapshot | undefined>()
  expectTypeOf(f.snapshot().gate.until).toEqualTypeOf<number | undefined>()
  // @ts-expect-error: read-only
  f.snapshot().gate.open = true
  expectTypeOf(f.snapshot()).not.toHaveProperty('limits')
  expectTypeOf<BucketSnapshot>().toHaveProperty('limits')
})

it('RateLimitedFetch can configure every option but the clock', () => {
  f.configure({ concurrency: 1, ratePerSecond: undefined })
  // @ts-expect-error: the clock stays
  f.configure({ clock: createManualClock() })
  // @ts-expect-error: no such option
  f.configure({ concurrenty: 1 })
})

it('RateLimitedFetchOptions accepts every option, and undefined for its default', () => {
  createRateLimitedFetch({
    fetch: (input, init) => fetch(input, init),
    key: ({ url }) => (url.startsWith('https') ? url : null),
    overflow: 'drop-oldest',
    methods: ['GET', 'REPORT'] as const,
    statuses: [500] as const,
    isThrottled: ({ status, headers }) => status === 403 && headers.get('x-ratelimit-remaining') === '0',
    retryNonIdempotent: ({ method }, { status }) => method === 'POST' && status === 429,
    backoff: (times, reason) => (reason === 'throttle' ? 1000 : 100) * 2 ** times,
    policies: [priorities(), queueTimeout(1000)] as const,
    onEvent: ({ type, key, at }) => [type, key, at],
  })
  const unset = {} as { [Name in keyof RateLimitedFetchOptions]-?: undefined }
  createRateLimitedFetch(unset)
})

it('The option fetch may be one that takes no URL object, as that of React Native', () => {
  createRateLimitedFetch({ fetch: (input: Request | string, init?: RequestInit) => fetch(input, init) })
})

it('RateLimitedFetchOptions rejects invalid options', () => {
  // @ts-expect-error: null is not undefined
  createRateLimitedFetch({ concurrency: null })
  // @ts-expect-error: no such choice
  createRateLimitedFetch({ overflow: 'drop-newest' })
  // @ts-expect-error: a policy, not its options
  createRateLimitedFetch({ policies: [{ ratePerSecond: 5 }] })
  // @ts-expect-error: not a promise: it is needed at once
  createRateLimitedFetch({ key: () => Promise.resolve('key') })
  // @ts-expect-error: an array, not a string
  createRateLimitedFetch({ methods: 'GET' })
  // @ts-expect-error: no such option
  createRateLimitedFetch({ retries: 5 })
})

it('composeRateLimitedFetch accepts the options of the kernel, and returns a rate-limited fetch with them', () => {
  const composed = composeRateLimitedFetch({ concurrency: 2, policies: [queueTimeout(1000)] })
  expectTypeOf(composed).toEqualTypeOf<RateLimitedFetch<ComposeOptions>>()
  // @ts-expect-error: an option of createRateLimitedFetch
  composed.configure({ ratePerSecond: 5 })
  // @ts-expect-error: an option of createRateLimitedFetch
  composeRateLimitedFetch({ pace: 'learn' })
})

it('composeRateLimitedFetch accepts custom policies', () => {
  const firstOfAll: Policy = (bucket) => ({
    readyAt: (now, call) => {
      expectTypeOf(call.options.maxWaitMs).toEqualTypeOf<number | undefined>()
      return bucket.inFlight() > 0 ? Infinity : now
    },
    ended: (_, { kind }) => kind === 'throttled' && bucket.close(1000, 'backoff'),
  })
  const wrapped: Policy = (bucket) => {
    const { readyAt, ...hooks } = firstOfAll(bucket)
    return { ...hooks, readyAt: readyAt && ((now, call) => Math.max(readyAt(now, call), now)) }
  }
  composeRateLimitedFetch({ policies: [firstOfAll, wrapped] })
  // @ts-expect-error: an instant
  composeRateLimitedFetch({ policies: [() => ({ readyAt: () => 'soon' })] })
})

it('an event narrows by its type', () => {
  createRateLimitedFetch({
    onEvent(event) {
      expectTypeOf(event).toEqualTypeOf<FetchEvent>()
      expectTypeOf(event.at).toBeNumber()
      if (event.type === 'retry') expectTypeOf(event.delayMs).toBeNumber()
      expectTypeOf(event).not.toHaveProperty('call')
      expectTypeOf<'retried'>().not.toExtend<typeof event.type>()
      expectTypeOf<'retry'>().toExtend<typeof event.type>()
    },
  })
})

it('isRateLimitError narrows', () => {
  const error: unknown = undefined
  if (isRateLimitError(error)) {
    expectTypeOf(error).toEqualTypeOf<RateLimitError>()
    expectTypeOf<'queue-full'>().toExtend<typeof error.code>()
    expectTypeOf<'limit'>().not.toExtend<typeof error.code>()
  }
  expectTypeOf(retryAfterMs(error)).toEqualTypeOf<number | undefined>()
  expectTypeOf<ThrottledError>().toExtend<RateLimitError>()
  expectTypeOf<ThrottledError['response']>().toEqualTypeOf<Response>()
})

it('parseRetryAfter accepts the result of headers.get', () => {
  expectTypeOf(parseRetryAfter(new Headers().get('retry-after'))).toEqualTypeOf<number | undefined>()
  parseRetryAfter('5', { now: 0, date: null, strict: true })
  // @ts-expect-error: text, not a number
  parseRetryAfter(5)
  // @ts-expect-error: ms, not a Date
  parseRetryAfter('5', { now: new Date() })
})
