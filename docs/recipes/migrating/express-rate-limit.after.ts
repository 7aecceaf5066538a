import { createKeyedLimiter, fixedWindow, systemClock } from 'lull/core'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Express middleware: at most 100 requests of an address in 15 min. */
export function limitAddresses(clock = systemClock) {
  // rateLimit({ windowMs: 15 * 60_000, limit: 100,
  //   standardHeaders: 'draft-8', legacyHeaders: false })
  const rule = fixedWindow({ limit: 100, windowMs: 15 * 60_000 })
  const limiter = createKeyedLimiter(rule, { clock })

  return (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ): void => {
    // Behind a proxy, Express's `request.ip` with `trust proxy`.
    const address = request.socket.remoteAddress ?? ''
    const { allowed, remaining, retryAfterMs } = limiter.decide(address)
    const seconds = Math.ceil(
      (allowed ? limiter.peek(address, 100).retryAfterMs : retryAfterMs) /
        1000,
    )
    response.setHeader('RateLimit-Policy', '"address";q=100;w=900')
    response.setHeader(
      'RateLimit',
      `"address";r=${remaining};t=${seconds}`,
    )
    if (allowed) next()
    else response.writeHead(429, { 'Retry-After': seconds }).end()
  }
}
