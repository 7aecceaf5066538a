import { createKeyedLimiter, gcra } from 'lull/core'

const limiter = createKeyedLimiter(gcra({ ratePerSecond: 0.001, burst: 2 }))

export function GET(request) {
  const { allowed, retryAfterMs } = limiter.decide(request.headers.get('x-user') ?? '')
  if (allowed) return new Response('served')
  return new Response('later', {
    status: 429,
    headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) },
  })
}
