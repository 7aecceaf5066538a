import * as lull from 'lull'
import { createLimiter, createRateMeter, tokenBucket } from 'lull/core'
import { useState, type ReactNode } from 'react'

const { composing, pageHidden, pageHide, RateLimitProvider } = lull

const leaving = { onUnmount: 'flush', flushOn: [pageHidden, pageHide] } as const

const findDocument = (): Document => document
const findBody = (): Element => document.body

type Hook = Exclude<Extract<keyof typeof lull, `use${string}`>, 'useClock'>

/** A component for each hook of the package, and its first output on a server and in a browser. */
export const everyHook: Record<Hook | (string & {}), [Component: () => ReactNode, text: string]> = {
  useDebounce: [() => lull.useDebounce('text', 100, { leading: true, holdWhile: composing }), 'text'],
  useThrottle: [() => lull.useThrottle('text', 100), 'text'],
  useDebouncedState: [() => lull.useDebouncedState('text', 100, leaving)[0], 'text'],
  useDebouncedCallback: [
    () => typeof lull.useDebouncedCallback(() => undefined, 100, { ...leaving, holdWhile: composing }),
    'function',
  ],
  useThrottledCallback: [() => typeof lull.useThrottledCallback(() => undefined, 100, leaving), 'function'],
  useDebouncedAsync: [
    () => {
      const { status, data = 'no data' } = lull.useDebouncedAsync(() => 'data', 100, leaving)
      return `${status}: ${data}`
    },
    'idle: no data',
  ],
  useBatch: [() => lull.useBatch(() => undefined, { wait: 100, ...leaving }).size, '0'],
  useIsPending: [() => String(lull.useIsPending(lull.useDebouncedCallback(() => undefined, 100))), 'false'],
  useThrottledEvent: [
    function UseThrottledEvent() {
      lull.useThrottledEvent(findDocument, 'scroll', () => undefined, 'frame', leaving)
      return 'text'
    },
    'text',
  ],
  useThrottledResize: [
    function UseThrottledResize() {
      lull.useThrottledResize(findBody, () => undefined, 100, leaving)
      return 'text'
    },
    'text',
  ],
  useLimiter: [
    function UseLimiter() {
      const clock = lull.useClock()
      const [limiter] = useState(() => createLimiter(tokenBucket({ ratePerSecond: 1, burst: 3 }), { clock }))
      return lull.useLimiter(limiter, ({ allowed }) => allowed)
    },
    '0',
  ],
  useRateMeter: [
    function UseRateMeter() {
      const clock = lull.useClock()
      const [meter] = useState(() => createRateMeter({ clock }))
      return lull.useRateMeter(meter)
    },
    '0',
  ],
  useCountdown: [() => lull.useCountdown(undefined), '0'],
  useRateLimitedFetch: [() => typeof lull.useRateLimitedFetch(), 'function'],
  'useRateLimitedFetch with options': [
    () => typeof lull.useRateLimitedFetch({ ratePerSecond: 1 }),
    'function',
  ],
  useRateLimitStatus: [() => String(lull.useRateLimitStatus().gate.open), 'true'],
  RateLimitProvider: [
    () => <RateLimitProvider options={{ ratePerSecond: 1 }}>text</RateLimitProvider>,
    'text',
  ],
}
