import type { Clock } from 'lull/core'
import { createRateLimitedFetch, type RateLimitedFetchOptions } from 'lull/fetch'
import { msOf, ORIGIN } from './network.ts'
import { createRandom, type Random } from './random.ts'
import type { FieldServer } from './servers.ts'

export type ClientName = 'learn' | 'fixed' | 'again' | 'alone' | 'omniscient'

export type Send = (url: string, init: { signal?: AbortSignal }) => Promise<Response>

/** The options that a user would set; the others keep their defaults. */
export type Settings = Pick<RateLimitedFetchOptions, 'concurrency' | 'maxQueue' | 'maxRetries' | 'maxWaitMs'>

/** Never gives up. */
export const patient: Settings = { maxQueue: Infinity, maxRetries: Infinity, maxWaitMs: Infinity }

export interface Surroundings {
  fetch: typeof fetch
  clock: Clock
  random: Random
  /** Used only by `omniscient`. */
  server: FieldServer
  settings: Settings
  /** Called when a gate closes. */
  onClosing: () => void
}

export const clients: Record<ClientName, (surroundings: Surroundings) => Send> = {
  learn: (surroundings) => lull(surroundings, 'learn'),
  fixed: (surroundings) => lull(surroundings, 'fixed'),
  again: (surroundings) =>
    lull({ ...surroundings, random: createRandom(surroundings.random() * 2 ** 32) }, 'fixed'),
  alone,
  omniscient,
}

function lull({ fetch, clock, random, settings, onClosing }: Surroundings, pace: 'learn' | 'fixed'): Send {
  return createRateLimitedFetch({
    fetch,
    clock,
    random,
    pace,
    ...settings,
    onEvent: ({ type }) => {
      if (type === 'gate-closed') onClosing()
    },
  })
}

/** Retries each call independently, after its own Retry-After or an exponential backoff. */
function alone({ fetch, clock, random, settings }: Surroundings): Send {
  const { maxRetries = 2, maxWaitMs = 60_000 } = settings

  return async (url, { signal }) => {
    for (let times = 0; ; times++) {
      const response = await fetch(url, signal && { signal }).catch((error: unknown) => {
        if (signal?.aborted || times >= maxRetries) throw error
        return undefined
      })
      if (response && response.status !== 429 && response.status < 500) return response
      const asked = response?.headers.get('retry-after')
      const backoffMs = Math.min(30_000, 500 * 2 ** times) * (0.5 + random() / 2)
      const waitMs = asked ? msOf(asked, clock) : backoffMs
      if (response && (times >= maxRetries || waitMs > maxWaitMs)) return response
      await sleep(clock, waitMs, signal)
    }
  }
}

function sleep(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    function abort(): void {
      cancel()
      reject(signal!.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
  })
}

/**
 * Reads the server's state: sends the calls in order, each as soon as the server would admit it. Refusals can
 * only be stray, so it sends again at once.
 */
function omniscient({ fetch, clock, server, settings }: Surroundings): Send {
  const { concurrency = Infinity } = settings
  const startAt = clock.now()
  const lanes = new Map<string, Lane>()
  let inFlight = 0

  interface Lane {
    queue: Set<Entry>
    cancel?: () => void
  }
  interface Entry {
    url: string
    send: () => void
  }

  function laneOf(url: string): Lane {
    const name = server.laneOf(url.slice(ORIGIN.length))
    const lane = lanes.get(name) ?? { queue: new Set() }
    lanes.set(name, lane)
    return lane
  }

  function drain(lane: Lane): void {
    lane.cancel?.()
    for (const entry of lane.queue) {
      if (inFlight >= concurrency) return
      const ms = server.waitMs(clock.now() - startAt, entry.url.slice(ORIGIN.length))
      if (ms > 0) {
        if (ms < Infinity) lane.cancel = clock.after(ms, () => drain(lane))
        return
      }
      lane.queue.delete(entry)
      inFlight++
      entry.send()
    }
  }

  /** Queues the call; sends it in the same task in which `waitMs` was 0. */
  function sendInTurn(url: string, signal: AbortSignal | undefined): Promise<Response> {
    const lane = laneOf(url)
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        lane.queue.delete(entry)
        reject(signal!.reason)
      }
      const entry: Entry = {
        url,
        send() {
          signal?.removeEventListener('abort', abort)
          const sent = fetch(url, signal && { signal })
          sent.then(ended, ended)
          resolve(sent)
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      lane.queue.add(entry)
      drain(lane)
    })
  }

  function ended(): void {
    inFlight--
    for (const lane of lanes.values()) drain(lane)
  }

  return async (url, { signal }) => {
    for (;;) {
      try {
        const response = await sendInTurn(url, signal)
        if (response.status !== 429 && response.status < 500) return response
      } catch (error) {
        if (signal?.aborted) throw error
      }
    }
  }
}
