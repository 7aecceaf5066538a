import { inFlight, type Limit } from './limits.ts'
import type { Random } from './random.ts'

export type FieldServer = ReturnType<typeof createServer>

export interface ServerSpec {
  limit?: (random: Random) => Limit
  /** Limits by the start of the path; other paths share `limit`. */
  routes?: Record<string, (random: Random) => Limit>
  /** The status of a refusal. @default 429 */
  status?: number
  /** Seconds of `Retry-After` in a refusal: as `waitMs` in whole seconds, at least 1, or none. @default 'whole' */
  retryAfter?: 'whole' | 'none' | 'date' | ((waitMs: number) => number | undefined)
  /** Fields about the limit in every response. */
  fields?: (limit: Limit, at: number, wallMs: number, isTaken: boolean) => Record<string, string>
  /** Random failures independent of a limit. Status 0 is a network error. */
  strays?: readonly { share: number; status: number; retryAfter?: number }[]
  /**
   * The median ms to a response; with a jitter of 1, 1 in 6 takes 1.4 times as long or longer. @default 40
   */
  latencyMs?: number
  /** How much latencies vary; 0: not at all. @default 1 */
  jitter?: number
  /** Latencies by the start of the path, `[from, to]` in ms. */
  slow?: Record<string, readonly [number, number]>
  /** The share of requests without a response, by the start of the path. */
  silent?: Record<string, number>
}

/** The share of the latency that has passed when the request arrives. */
const WAY_THERE = 0.4

export const draftFields =
  (name = 'default') =>
  (limit: Limit, at: number): Record<string, string> => ({
    'ratelimit-policy': `"${name}";q=${limit.quota(at)};w=${limit.windowMs / 1000}`,
    ratelimit: `"${name}";r=${limit.remaining(at)};t=${wholeSeconds(limit.resetMs(at))}`,
  })

/** `X-RateLimit-*`, with the reset as an instant in seconds since 1970 or as seconds from now. */
export const olderFields =
  (reset: 'instant' | 'seconds') =>
  (limit: Limit, at: number, wallMs: number): Record<string, string> => ({
    'x-ratelimit-limit': String(limit.quota(at)),
    'x-ratelimit-remaining': String(limit.remaining(at)),
    'x-ratelimit-reset': String(wholeSeconds(limit.resetMs(at) + (reset === 'instant' ? wallMs : 0))),
  })

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000 - 1e-9))
}

/** @param wallOf returns the wall clock at an instant of the server */
export function createServer(spec: ServerSpec, random: Random, wallOf: (at: number) => number) {
  const { status = 429, retryAfter = 'whole', fields, strays = [], latencyMs = 40, jitter = 1 } = spec
  const free = inFlight(Infinity)
  const lanes = new Map([['', spec.limit?.(random) ?? free]])
  for (const [route, make] of Object.entries(spec.routes ?? {})) lanes.set(route, make(random))
  const routes = Object.keys(spec.routes ?? {})
  const laneOf = (path: string): string => routes.find((route) => path.startsWith(route)) ?? ''
  const limitOf = (path: string): Limit => lanes.get(laneOf(path))!

  function latencyOf(path: string, draw: Random): number {
    for (const [route, share] of Object.entries(spec.silent ?? {}))
      if (path.startsWith(route) && draw() < share) return Infinity
    for (const [route, [from, to]] of Object.entries(spec.slow ?? {}))
      if (path.startsWith(route)) return from + (to - from) * draw()
    // Log-normal, with a tail.
    const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
    return latencyMs * Math.exp(0.35 * jitter * normal) * (draw() < 0.01 * jitter ? 4 : 1)
  }

  function refusalHeaders(at: number, waitMs: number): Record<string, string> {
    if (retryAfter === 'none' || waitMs === Infinity) return {}
    if (retryAfter === 'date')
      return { 'retry-after': new Date(Math.ceil((wallOf(at) + waitMs) / 1000) * 1000).toUTCString() }
    const seconds = retryAfter === 'whole' ? wholeSeconds(waitMs) : retryAfter(waitMs)
    return seconds === undefined ? {} : { 'retry-after': String(seconds) }
  }

  function strayOf(draw: Random): { status: number; retryAfter?: number } | undefined {
    let drawn = draw()
    for (const stray of strays) {
      if (drawn < stray.share) return stray
      drawn -= stray.share
    }
    return undefined
  }

  return {
    /** Decides on a request that arrives now. `draw` depends only on the request and the attempt. */
    receive: (at: number, path: string, draw: Random) => {
      const limit = limitOf(path)
      const latency = latencyOf(path, draw)
      const stray = strayOf(draw)
      const waitMs = limit.waitMs(at)
      const isTaken = waitMs <= 0
      if (isTaken) limit.take(at)
      else limit.refused?.(at)
      const headers: Record<string, string> = { ...fields?.(limit, at, wallOf(at), isTaken) }
      if (!isTaken) Object.assign(headers, refusalHeaders(at, limit.waitMs(at)))
      else if (stray?.retryAfter !== undefined) headers['retry-after'] = String(stray.retryAfter)
      // A refusal is sent without work. A latency of Infinity is no response.
      const ms = isTaken ? latency + (limit.heldMs?.(at) ?? 0) : Math.min(latency, latencyMs)
      return { status: isTaken ? (stray?.status ?? 200) : status, headers, latencyMs: ms, isTaken }
    },
    /** A request that was taken has ended. */
    released: (path: string) => limitOf(path).released?.(),
    /** Ms until a request of that path would be admitted. For the omniscient client. */
    waitMs: (at: number, path: string) => limitOf(path).waitMs(at),
    /** Requests of the same lane share a limit. */
    laneOf,
    /** Ms from sending a request to its arrival. */
    wayThereMs: (draw: Random) => latencyMs * WAY_THERE * (1 + jitter * (draw() - 0.5)),
  }
}
