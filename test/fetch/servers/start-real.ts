// Real HTTP requests and responses; waits between them use a manual clock. The tests cover sockets, streams
// and the platform's fetch without sleeping or tolerances for slow machines.
import { createRateLimitedFetch, type FetchEvent, type RateLimitedFetchOptions } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { expect, onTestFinished } from 'vitest'

/** A rate-limited fetch over the platform's. `random` returns 0, which makes the server's wait exact. */
export function startReal(options: RateLimitedFetchOptions = {}) {
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
    happens: (type: FetchEvent['type']) =>
      new Promise<void>((resolve) => {
        checks.add(() => {
          if (events.some((event) => event.type === type)) resolve()
        })
      }),
    /** The send times of the requests. */
    sentAt: () => events.flatMap((event) => (event.type === 'dispatch' ? [event.at] : [])),
    /** The outcome of a call. Advances the clock whenever nothing is in flight. */
    settle: async <T>(call: Promise<T>): Promise<T> => {
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
