import {
  ClockProvider,
  RateLimitProvider,
  useCountdown,
  useDebounce,
  useDebouncedCallback,
  useIsPending,
  useRateLimitedFetch,
  useRateLimitStatus,
  useThrottle,
  useThrottledCallback,
} from 'lull'
import type { Clock } from 'lull/core'
import type { RateLimitedFetch } from 'lull/fetch'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** A clock that a server has no use for. */
const clock: Clock = {
  now: () => 0,
  wall: () => 0,
  after() {
    throw new Error('a timer on the server')
  },
}

const components: Record<string, () => ReactNode> = {
  useDebounce: () => useDebounce('text', 100),
  useThrottle: () => useThrottle('text', 100),
  useDebouncedCallback() {
    const debounced = useDebouncedCallback(() => undefined, 100, { onUnmount: 'flush' })
    return String(debounced.isPending())
  },
  useThrottledCallback: () => String(useThrottledCallback(() => undefined, 100).isPending()),
  useIsPending: () => String(useIsPending(useDebouncedCallback(() => undefined, 100))),
  useCountdown: () => useCountdown(5000),
  useRateLimitedFetch: () => typeof useRateLimitedFetch(),
  OwnedFetch: () => typeof useRateLimitedFetch({ ratePerSecond: 1 }),
  useRateLimitStatus: () => JSON.stringify(useRateLimitStatus()),
  RateLimitProvider: () => <RateLimitProvider options={{ ratePerSecond: 1 }}>text</RateLimitProvider>,
}

const html: Record<string, string> = {
  useDebounce: 'text',
  useThrottle: 'text',
  useDebouncedCallback: 'false',
  useThrottledCallback: 'false',
  useIsPending: 'false',
  useCountdown: '0',
  useRateLimitedFetch: 'function',
  OwnedFetch: 'function',
  useRateLimitStatus:
    '{&quot;queued&quot;:0,&quot;inFlight&quot;:0,&quot;sleeping&quot;:0,&quot;gate&quot;:{&quot;open&quot;:true,&quot;remainingMs&quot;:0},&quot;window&quot;:null,&quot;buckets&quot;:{}}',
  RateLimitProvider: 'text',
}

// Nothing of a page is here, so that touching it fails.
expect(typeof window).toBe('undefined')

describe('on the server', () => {
  beforeEach(() => {
    vi.spyOn(globalThis, 'setTimeout')
    vi.spyOn(console, 'error')
  })

  afterEach(() => {
    expect(setTimeout).not.toHaveBeenCalled()
    expect(console.error).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  it.each(Object.keys(components))('%s renders, with no timer and no warning', (name) => {
    const Component = components[name]!
    expect(renderToString(<Component />)).toBe(html[name])
  })

  it.each(Object.keys(components))('%s asks no clock for a timer', (name) => {
    const Component = components[name]!
    const element = (
      <ClockProvider clock={clock}>
        <Component />
      </ClockProvider>
    )
    expect(renderToString(element)).toBe(html[name])
  })

  it('shares no fetch between two renders', () => {
    const seen: RateLimitedFetch[] = []
    const Component = (): ReactNode => {
      seen.push(useRateLimitedFetch())
      return null
    }
    renderToString(<Component />)
    renderToString(<Component />)
    expect(seen[0]).not.toBe(seen[1])
  })
})
