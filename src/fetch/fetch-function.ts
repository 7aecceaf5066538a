import type { RateLimitedRequestInit } from './call.ts'

/** A fetch: the platform's, a paced one, or one that is wrapped around another. `init.rateLimit` is for a paced one. */
export type FetchFunction = (input: RequestInfo | URL, init?: RateLimitedRequestInit) => Promise<Response>

const requests = /* @__PURE__ */ new WeakMap<AbortSignal, Request>()

/** The signal that a fetch with these arguments heeds. R108 */
export function signalOf(input: RequestInfo | URL, init: RequestInit | undefined): AbortSignal | undefined {
  if (init?.signal !== undefined) return init.signal ?? undefined
  if (!(input instanceof Request)) return undefined
  // In Node the signal of a request hears nothing any more once the request has been collected.
  requests.set(input.signal, input)
  return input.signal
}
