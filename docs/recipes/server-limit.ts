import type { IncomingMessage, RequestListener } from 'node:http'
import {
  createKeyedLimiter,
  systemClock,
  tokenBucket,
  type Clock,
} from 'lull/core'

export interface UserLimit {
  /** What a client cannot choose: a session, an account, an address. */
  userOf: (request: IncomingMessage) => string
  /** Requests per window. After an idle time, as many may come at once. */
  limit: number
  windowSeconds: number
  clock?: Clock
}

/** Limits each user. Responds with 429 beyond, always with `RateLimit`. */
export function limitEachUser(
  handle: RequestListener,
  { userOf, limit, windowSeconds, clock = systemClock }: UserLimit,
): RequestListener {
  const ratePerSecond = limit / windowSeconds
  const rule = tokenBucket({ ratePerSecond, burst: limit })
  const limiter = createKeyedLimiter(rule, { clock })

  return (request, response) => {
    const user = userOf(request)
    const at = clock.now()
    const { allowed, remaining } = limiter.decide(user, 1, at)
    // Until all are available again; if none is left, until one is.
    const seconds = Math.ceil(
      limiter.peek(user, remaining > 0 ? limit : 1, at).retryAfterMs /
        1000,
    )
    response.setHeader(
      'RateLimit-Policy',
      `"user";q=${limit};w=${windowSeconds}`,
    )
    response.setHeader('RateLimit', `"user";r=${remaining};t=${seconds}`)
    if (allowed) handle(request, response)
    else response.writeHead(429, { 'Retry-After': seconds }).end()
  }
}
