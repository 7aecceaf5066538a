// Real HTTP requests and responses; waits between them use a manual clock. The tests cover sockets, streams
// and the platform's fetch without sleeping or tolerances for slow machines.
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
  /** Resolves after that many. */
  happens: (type: FetchEvent['type'], times?: number) => Promise<void>
  /** The send times of the requests. */
  sentAt: () => number[]
  /** The outcome of a call. Advances the clock whenever nothing is in flight. */
  settle: <T>(call: Promise<T>) => Promise<T>
}

/** A rate-limited fetch over the platform's. `random` returns 0, which makes the server's wait exact. */
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

/** Waits for one turn of the event loop, so that network events arrive. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => ('setImmediate' in globalThis ? setImmediate : setTimeout)(resolve))
