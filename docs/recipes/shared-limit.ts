import type { RedisLimiter } from 'lull/redis'

export interface SharedLimit {
  /** Its rule: `tokenBucket` with `limit / windowSeconds` and `limit`. */
  limiter: RedisLimiter
  limit: number
  windowSeconds: number
}

/** Decides on one request of `user`, and returns the response headers. */
export async function checkLimit(
  { limiter, limit, windowSeconds }: SharedLimit,
  user: string,
): Promise<{ allowed: boolean; headers: Record<string, string> }> {
  const { allowed, remaining, retryAfterMs } = await limiter.decide(user)
  // Until all are available again; if none is left, until one is.
  const seconds = Math.ceil(
    allowed
      ? ((remaining > 0 ? limit - remaining : 1) * windowSeconds) / limit
      : Math.min(retryAfterMs / 1000, 1e9),
  )
  const headers = {
    'RateLimit-Policy': `"user";q=${limit};w=${windowSeconds}`,
    RateLimit: `"user";r=${remaining};t=${seconds}`,
  }
  return {
    allowed,
    headers: allowed
      ? headers
      : { ...headers, 'Retry-After': `${seconds}` },
  }
}

/**
 * The same for a handler of the web's `Request` and `Response`: Hono, Next
 * route handlers, Deno, Bun, workers.
 */
export function limitRequests(
  shared: SharedLimit,
  userOf: (request: Request) => string,
  handle: (request: Request) => Response | Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { allowed, headers } = await checkLimit(shared, userOf(request))
    if (!allowed) return new Response(undefined, { status: 429, headers })
    const {
      body,
      status,
      statusText,
      headers: given,
    } = await handle(request)
    const all = new Headers(given)
    for (const [name, value] of Object.entries(headers))
      all.set(name, value)
    return new Response(body, { status, statusText, headers: all })
  }
}
