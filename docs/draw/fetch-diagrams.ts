import { createLimiter, tokenBucket, type Clock } from 'lull/core'
import { createRateLimitedFetch, type RateLimitedFetch } from 'lull/fetch'
import { lettered, type Lane, type Log, type Timing } from './timing.ts'

const ORIGIN = 'https://api.test'
const LATENCY_MS = 90

/** A server that lets 4 a second through, 3 at once, and asks those beyond to come back in a second. */
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
  // Nothing is left to chance, so that the drawing is the same each time.
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
  name: 'gate, and how many may be in flight',
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
