/** What each hook's page shows at first, and a second after a click. */
export const shown = {
  useBatch: ['', 'a,b'],
  useClock: ['', 'done'],
  useCountdown: ['0', '1'],
  useDebounce: ['', 'done'],
  useDebouncedAsync: ['idle', 'success done'],
  useDebouncedCallback: ['', 'done'],
  useDebouncedState: ['', 'done'],
  useIsPending: ['false', 'false,true,false'],
  useLimiter: ['0 denied', '1 denied'],
  useRateLimitedFetch: ['', '200'],
  useRateLimitStatus: ['0', '0,1,0'],
  useRateMeter: ['still', 'moving'],
  useThrottle: ['', 'done'],
  useThrottledCallback: ['', 'one,three'],
  useThrottledEvent: ['', 'done'],
  useThrottledResize: ['', '123'],
}

export const names = Object.keys(shown)
