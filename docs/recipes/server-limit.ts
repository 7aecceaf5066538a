import type { IncomingMessage, RequestListener } from 'node:http'
import { createKeyedLimiter, systemClock, tokenBucket, type Clock } from 'lull/core'

export interface UserLimit {
  /** Who asks, by what a client cannot choose: a session, an account, an address. */
  userOf: (request: IncomingMessage) => string
  /** So many requests in so many seconds; and, after a rest, as many at once. */
  limit: number
  windowSeconds: number
  clock?: Clock
}

/** Handles what is within the limit of its user, and answers 429 to the rest. Both are told what is left. */
export function limitEachUser(
  handle: RequestListener,
  { userOf, limit, windowSeconds, clock = systemClock }: UserLimit,
): RequestListener {
  const limiter = createKeyedLimiter(tokenBucket({ ratePerSecond: limit / windowSeconds, burst: limit }), {
    clock,
  })

  return (request, response) => {
    const user = userOf(request)
    const at = clock.now()
    const { allowed, remaining } = limiter.decide(user, 1, at)
    // What remains is to last until all is back; of none, until there is one.
    const seconds = Math.ceil(limiter.peek(user, remaining > 0 ? limit : 1, at).retryAfterMs / 1000)
    response.setHeader('RateLimit-Policy', `"user";q=${limit};w=${windowSeconds}`)
    response.setHeader('RateLimit', `"user";r=${remaining};t=${seconds}`)
    if (allowed) handle(request, response)
    else response.writeHead(429, { 'Retry-After': seconds }).end()
  }
}
