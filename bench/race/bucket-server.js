// Servers with a limit that the client does not know. They decide alike on a virtual clock and over HTTP.

/** The time from a request's arrival, when it is decided, to its response. */
export const ANSWER_MS = 25

/** Tolerance for rounding, in tokens: sums of instants are not exact. */
const NEAR = 1e-9

/**
 * A token bucket; 429 when it is empty. `tells` selects the fields: `retryAfter` (whole seconds until the next token, at
 * least 1), `rateLimit` (in every response: the policy, what is left, and the whole seconds until the bucket is full).
 *
 * @param changes `{ afterMs, factor }`, in order: `factor` multiplies rate and burst, from `afterMs` after the first request
 */
export function createBucketServer({ ratePerSecond = 20, burst = 10, changes = [], tells }, now) {
  let tokens = burst
  let first, last
  let received = 0

  const segmentAt = (at) => changes.findLast(({ afterMs }) => at - first >= afterMs) ?? { factor: 1 }
  const nextChange = (at) =>
    first + (changes.find(({ afterMs }) => at - first < afterMs)?.afterMs ?? Infinity)

  /** The level at the instant `to`, if nothing is taken until then. */
  function levelAt(to) {
    let level = tokens
    let from = last
    while (from < to) {
      const until = Math.min(to, nextChange(from))
      const { factor } = segmentAt(from)
      level = Math.min(burst * factor, level + ((until - from) / 1000) * ratePerSecond * factor)
      from = until
    }
    return Math.min(level, burst * segmentAt(to).factor)
  }

  function headersFor(at, isServed) {
    const { factor } = segmentAt(at)
    const rate = ratePerSecond * factor
    const seconds = (missing) => String(Math.max(1, Math.ceil(missing / rate - NEAR)))
    return {
      ...(tells.retryAfter && !isServed && { 'retry-after': seconds(1 - tokens) }),
      ...(tells.rateLimit && {
        'ratelimit-policy': `"default";q=${rate};w=1`,
        ratelimit: `"default";r=${Math.floor(tokens + NEAR)};t=${seconds(burst * factor - tokens)}`,
      }),
    }
  }

  return {
    get received() {
      return received
    },
    /** Decides on a request that arrives now. */
    receive() {
      const at = now()
      first ??= at
      last ??= at
      tokens = levelAt(at)
      last = at
      received++
      const isServed = tokens >= 1 - NEAR
      if (isServed) tokens = Math.max(0, tokens - 1)
      return { status: isServed ? 200 : 429, headers: headersFor(at, isServed) }
    },
    /** Ms until there are `count` tokens; Infinity if there never are. For the omniscient client. */
    msUntil(count) {
      const start = now()
      for (let at = start; first !== undefined; at = nextChange(at)) {
        const missing = count - levelAt(at) - NEAR
        if (missing <= 0) return at - start
        const { factor } = segmentAt(at)
        const isPossible = count <= burst * factor
        const ms = isPossible ? ((missing + NEAR) / (ratePerSecond * factor)) * 1000 : Infinity
        if (at + ms <= nextChange(at)) return at + ms - start
      }
      return count > burst ? Infinity : 0
    },
  }
}

/** Refuses the first request, and all others until `pauseMs` after its response. Then there is no limit. */
export function createPausingServer({ pauseMs }, now) {
  let closedUntil
  let received = 0
  return {
    get received() {
      return received
    },
    receive() {
      received++
      closedUntil ??= now() + ANSWER_MS + pauseMs
      // Counted from when the response arrives.
      const seconds = Math.ceil((closedUntil - now() - ANSWER_MS) / 1000)
      if (now() >= closedUntil) return { status: 200, headers: {} }
      return { status: 429, headers: { 'retry-after': String(Math.max(1, seconds)) } }
    },
    msUntil: () => (closedUntil === undefined ? 0 : Math.max(0, closedUntil - now())),
  }
}
