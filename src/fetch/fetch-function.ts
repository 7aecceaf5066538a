import type { RateLimitedRequestInit } from './call.ts'

/** A fetch: the platform's, a paced one, or one that is wrapped around another. `init.rateLimit` is for a paced one. */
export type FetchFunction = (input: RequestInfo | URL, init?: RateLimitedRequestInit) => Promise<Response>
