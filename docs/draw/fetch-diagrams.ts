import { createLimiter, tokenBucket, type Clock } from 'lull/core'
import { createRateLimitedFetch, type RateLimitedFetch } from 'lull/fetch'
import { lettered, type Lane, type Log, type Timing } from './timing.ts'

const ORIGIN = 'https://api.test'
const LATENCY_MS = 90

/** A server that allows 4 requests a second, 3 at once, and refuses the others with a Retry-After of 1 s. */
function createServer(clock: Clock, log?: Log): typeof fetch {
  const limiter = createLimiter(tokenBucket({ ratePerSecond: 4, burst: 3 }), { clock })
  return (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const end = log?.task(pathname.slice(1))
    const isAllowed = limiter.allow()
    const response = isAllowed
      ? new Response('')
      : new Response('', { status: 429, headers: { 'Retry-After': '1' } })
    return new Promise((resolve) =>
      clock.after(LATENCY_MS, () => {
        end?.(isAllowed ? 'done' : 'failed')
        resolve(response)
      }),
    )
  }
}

function start(clock: Clock, log?: Log): RateLimitedFetch {
  // No randomness: the drawing is always the same.
  return createRateLimitedFetch({ fetch: createServer(clock, log), clock, random: () => 0 })
}

const requests: Lane = {
  name: 'requests, × for 429',
  make(clock, log) {
    const limited = start(clock, log)
    return { call: (text) => void limited(`${ORIGIN}/${text}`) }
  },
}

const gate: Lane = {
  name: 'gate, and the most requests in flight',
  make(clock, log) {
    const limited = start(clock)
    let shown = ''
    function look(): void {
      const { gate, window } = limited.snapshot()
      const state = gate.open ? (window < Infinity ? `${window}` : 'open') : 'closed'
      if (state !== shown) log.state(state)
      shown = state
    }
    look()
    limited.subscribe(look)
    return { call: (text) => void limited(`${ORIGIN}/${text}`) }
  },
}

export const fetchDiagrams: Record<string, Timing> = {
  'rate-limited-fetch': {
    title: 'After a 429 nothing is sent for a second, then one probe request, then the rest',
    endMs: 2600,
    calls: lettered(0, 110, 220, 330, 440, 600, 800, 2000, 2300),
    lanes: [requests, gate],
  },
}
