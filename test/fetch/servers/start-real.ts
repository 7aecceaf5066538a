// Requests and responses that really go over HTTP, in real time; the waits between them are on a manual clock. So the
// tests see sockets, streams and the platform's fetch, and need neither to sleep nor to allow for a slow machine.
import {
  createRateLimitedFetch,
  type FetchEvent,
  type RateLimitedFetch,
  type RateLimitedFetchOptions,
} from 'lull/fetch'
import { createManualClock, type ManualClock } from 'lull/testing'
import { expect, onTestFinished } from 'vitest'

export interface StartedReal {
  f: RateLimitedFetch
  clock: ManualClock
  events: readonly FetchEvent[]
  /** When that has happened so many times. */
  happens: (type: FetchEvent['type'], times?: number) => Promise<void>
  /** The instants at which requests were sent. */
  sentAt: () => number[]
  /** The outcome of a call. Time leaps on whenever nothing is on its way. */
  settle: <T>(call: Promise<T>) => Promise<T>
}

/** A rate-limited fetch over the platform's own. The random number is 0, so that a server's wait is kept to the millisecond. */
export function startReal(options: RateLimitedFetchOptions = {}): StartedReal {
  const clock = createManualClock()
  const events: FetchEvent[] = []
  const checks = new Set<() => void>()
  const f = createRateLimitedFetch({
    clock,
    random: () => 0,
    onEvent(event) {
      events.push(event)
      for (const check of checks) check()
    },
    ...options,
  })
  onTestFinished(() => expect(clock.pending).toBe(0))

  return {
    f,
    clock,
    events,
    happens: (type, times = 1) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (events.filter((event) => event.type === type).length >= times) resolve()
        }
        checks.add(check)
        check()
      }),
    sentAt: () => events.flatMap((event) => (event.type === 'dispatch' ? [event.at] : [])),
    async settle(call) {
      const isOver = call.then(
        () => true,
        () => true,
      )
      while (!(await Promise.race([isOver, turn()]))) {
        if (f.snapshot().inFlight === 0) await clock.advanceAsync(50)
      }
      return call
    },
  }
}

/** One turn of the event loop: what came over the network in the meantime is heard. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => ('setImmediate' in globalThis ? setImmediate : setTimeout)(resolve))
