import type { Clock } from 'lull/core'
import { createRandom, hash } from './random.ts'
import type { FieldServer } from './servers.ts'

export type Network = ReturnType<typeof createNetwork>

export const ORIGIN = 'https://api.test'

/** The wait of a `Retry-After`. */
export const msOf = (value: string, clock: Clock): number =>
  /^\d/.test(value) ? Number(value) * 1000 : Math.max(0, Date.parse(value) - clock.wall())

/**
 * The network to a server. Latency and stray failures of a request depend on the seed, its URL and the
 * attempt, not on other requests, so they are the same for each client.
 *
 * @param isInstant requests arrive when they are sent: for the omniscient client
 */
export function createNetwork(clock: Clock, server: FieldServer, seed: number, isInstant: boolean) {
  const startAt = clock.now()
  const attempts = new Map<string, number>()
  /** Refused: with 429 or 503. Into a pause: sent before the end of a `Retry-After` that had been received by then. */
  const counts = { requests: 0, refused: 0, intoPause: 0 }
  let pausedUntil = -Infinity

  function receive(status: number, headers: Record<string, string>): Response {
    const response = new Response(null, { status, headers })
    if (status === 429 || status === 503) {
      counts.refused++
      const asked = response.headers.get('retry-after')
      if (asked !== null) pausedUntil = Math.max(pausedUntil, clock.now() + msOf(asked, clock))
    }
    return response
  }

  function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    if (signal?.aborted) return Promise.reject(signal.reason)
    const path = url.slice(ORIGIN.length)
    const attempt = attempts.get(path) ?? 0
    attempts.set(path, attempt + 1)
    counts.requests++
    if (clock.now() < pausedUntil) counts.intoPause++

    return new Promise((resolve, reject) => {
      const sentAt = clock.now()
      let cancel: (() => void) | undefined
      let isTaken = false

      const random = createRandom(hash(`${path} ${attempt}`, seed))
      // The first number of a sequence correlates with the seed.
      random()
      const wayThereMs = server.wayThereMs(random)

      function arrive(): void {
        const outcome = server.receive(clock.now() - startAt, path, random)
        isTaken = outcome.isTaken
        if (outcome.latencyMs === Infinity) return
        const left = outcome.latencyMs - (clock.now() - sentAt)
        cancel = clock.after(left, () => {
          end()
          if (outcome.status === 0) reject(new TypeError('fetch failed'))
          else resolve(receive(outcome.status, outcome.headers))
        })
      }

      function end(): void {
        signal?.removeEventListener('abort', abort)
        if (isTaken) server.released(path)
      }

      function abort(): void {
        cancel?.()
        end()
        reject(signal!.reason)
      }

      signal?.addEventListener('abort', abort, { once: true })
      if (isInstant) arrive()
      else cancel = clock.after(wayThereMs, arrive)
    })
  }

  return { fetch: send, counts }
}
