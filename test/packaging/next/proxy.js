// The middleware, which Next 16 calls proxy: it runs before the routes.
import { createKeyedLimiter, tokenBucket } from 'lull/core'

const limiter = createKeyedLimiter(tokenBucket({ ratePerSecond: 0.001, burst: 2 }))

export function proxy(request) {
  const { allowed, retryAfterMs } = limiter.decide(request.headers.get('x-user') ?? '')
  if (allowed) return undefined
  return new Response('later', {
    status: 429,
    headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
  })
}

export const config = { matcher: '/api/open' }
