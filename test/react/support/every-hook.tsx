import {
  composing,
  pageHidden,
  pageHide,
  RateLimitProvider,
  useBatch,
  useClock,
  useCountdown,
  useDebounce,
  useDebouncedAsync,
  useDebouncedCallback,
  useDebouncedState,
  useIsPending,
  useLimiter,
  useRateLimitedFetch,
  useRateLimitStatus,
  useRateMeter,
  useThrottle,
  useThrottledCallback,
  useThrottledEvent,
  useThrottledResize,
} from 'lull'
import { createLimiter, createRateMeter, tokenBucket } from 'lull/core'
import { useState, type ReactNode } from 'react'

const leaving = { onUnmount: 'flush', flushOn: [pageHidden, pageHide] } as const

const findDocument = (): Document => document
const findBody = (): Element => document.body

/** A component for each hook of the package, and its first output on a server and in a browser. */
export const everyHook: Record<string, [Component: () => ReactNode, text: string]> = {
  useDebounce: [() => useDebounce('text', 100, { leading: true, holdWhile: composing }), 'text'],
  useThrottle: [() => useThrottle('text', 100), 'text'],
  useDebouncedState: [() => useDebouncedState('text', 100, leaving)[0], 'text'],
  useDebouncedCallback: [
    () => typeof useDebouncedCallback(() => undefined, 100, { ...leaving, holdWhile: composing }),
    'function',
  ],
  useThrottledCallback: [() => typeof useThrottledCallback(() => undefined, 100, leaving), 'function'],
  useDebouncedAsync: [
    () => {
      const { status, data = 'no data' } = useDebouncedAsync(() => 'data', 100, leaving)
      return `${status}: ${data}`
    },
    'idle: no data',
  ],
  useBatch: [() => useBatch(() => undefined, { wait: 100, ...leaving }).size, '0'],
  useIsPending: [() => String(useIsPending(useDebouncedCallback(() => undefined, 100))), 'false'],
  useThrottledEvent: [
    function UseThrottledEvent() {
      useThrottledEvent(findDocument, 'scroll', () => undefined, 'frame', leaving)
      return 'text'
    },
    'text',
  ],
  useThrottledResize: [
    function UseThrottledResize() {
      useThrottledResize(findBody, () => undefined, 100, leaving)
      return 'text'
    },
    'text',
  ],
  useLimiter: [
    function UseLimiter() {
      const clock = useClock()
      const [limiter] = useState(() => createLimiter(tokenBucket({ ratePerSecond: 1, burst: 3 }), { clock }))
      return useLimiter(limiter, ({ allowed }) => allowed)
    },
    '0',
  ],
  useRateMeter: [
    function UseRateMeter() {
      const clock = useClock()
      const [meter] = useState(() => createRateMeter({ clock }))
      return useRateMeter(meter)
    },
    '0',
  ],
  useCountdown: [() => useCountdown(undefined), '0'],
  useRateLimitedFetch: [() => typeof useRateLimitedFetch(), 'function'],
  'useRateLimitedFetch with options': [() => typeof useRateLimitedFetch({ ratePerSecond: 1 }), 'function'],
  useRateLimitStatus: [() => String(useRateLimitStatus().gate.open), 'true'],
  RateLimitProvider: [
    () => <RateLimitProvider options={{ ratePerSecond: 1 }}>text</RateLimitProvider>,
    'text',
  ],
}
