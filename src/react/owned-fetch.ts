import type { Clock } from '../core/clock.ts'
import { createRateLimitedFetch } from '../fetch/create-rate-limited-fetch.ts'
import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import type { RateLimitedFetchOptions } from '../fetch/options.ts'
import { defaultSettings } from '../fetch/settings.ts'
import { unlessBack } from './unless-back.ts'

/** A paced fetch that lives as long as a component is shown. */
export interface OwnedFetch {
  /** The same function always. */
  readonly fetch: RateLimitedFetch
  /** Makes `options` the ones in force: what is absent has its default. */
  use: (options: RateLimitedFetchOptions) => void
  /** Aborts all calls with an `AbortError`, and rejects later ones, until `start`. */
  stop: () => void
  start: () => void
}

export function createOwnedFetch(options: RateLimitedFetchOptions, clock: Clock): OwnedFetch {
  const inner = createRateLimitedFetch({ ...options, clock: options.clock ?? clock })
  let life = new AbortController()
  let isShown = true

  function fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const ownSignal = init?.signal === undefined && input instanceof Request ? input.signal : init?.signal
    const signal = ownSignal ? AbortSignal.any([ownSignal, life.signal]) : life.signal
    const response = inner(input, { ...init, signal })
    // Who looks at the promise hears of an abort; a component that does not is no bug to be reported.
    response.catch(() => undefined)
    return response
  }

  return {
    fetch: Object.assign(fetch, { ...inner }),
    use: (changes) => inner.configure({ ...defaultSettings, ...changes }),
    stop() {
      isShown = false
      unlessBack(
        () => isShown,
        () => life.abort(new DOMException('The component was unmounted', 'AbortError')),
      )
    },
    start() {
      isShown = true
      if (life.signal.aborted) life = new AbortController()
    },
  }
}
