import { createOrderedQueue } from '../core/queue/ordered-queue.ts'
import { check } from '../core/shared/check.ts'
import type { Clock } from '../core/time/clock.ts'

/** A clock that moves only when `advance` is called. */
export interface ManualClock extends Clock {
  frame: (callback: () => void) => () => void
  /**
   * Moves `now` and `wall` on by `ms`. It stops at each due time on the way and calls the callbacks that are due, in order. An
   * error in a callback does not stop the others; the first error is thrown at the end.
   */
  advance: (ms: number) => void
  /** Like `advance`, but lets promise continuations run before it starts and after each callback. */
  advanceAsync: (ms: number) => Promise<void>
  /** Sets the wall clock alone, as a user or a time server does. */
  setWall: (ms: number) => void
  /** The number of callbacks not called yet: 0 when no timer is left. */
  readonly pending: number
}

interface Timer {
  at: number
  callback: () => void
}

/** The frame interval of most screens, about 16 ms. */
const FRAME_MS = 16

/** More callbacks than this at one instant are taken as an endless loop. */
const ENDLESS = 1_000_000

/**
 * Returns a clock for tests. Time passes only in `advance`, which steps from due time to due time, so that a chain of
 * timers runs at the same instants as in real time.
 *
 * @param startMs the first reading of `now()`. @default 0
 * @throws RangeError for a `startMs` that is not finite. `setWall` throws it for such a `ms`, `advance` for one below 0.
 */
export function createManualClock(startMs = 0): ManualClock {
  check(Number.isFinite(startMs), 'finite startMs', startMs)
  let now = startMs
  let wall = startMs
  const timers = createOrderedQueue<Timer>((timer, other) => timer.at < other.at)

  function after(delayMs: number, callback: () => void): () => void {
    const timer = { at: now + (delayMs > 0 ? delayMs : 0), callback }
    timers.add(timer)
    return () => void timers.remove(timer)
  }

  // Never moves back: a callback may have advanced the clock.
  function moveTo(at: number): void {
    if (at <= now) return
    wall += at - now
    now = at
  }

  /** Runs the due callbacks one at a time until `ms` have passed, and yields after each. */
  function* stepThrough(ms: number): Generator<void, void> {
    check(ms >= 0, 'ms >= 0', ms)
    const end = now + ms
    const errors: unknown[] = []
    let callbacksNow = 0
    for (let next; (next = timers.first()) && next.at <= end;) {
      callbacksNow = next.at > now ? 0 : callbacksNow + 1
      if (callbacksNow > ENDLESS)
        throw new Error(`Called back ${ENDLESS} times at ${now} ms: an endless loop of timers?`)
      timers.remove(next)
      moveTo(next.at)
      try {
        next.callback()
      } catch (error) {
        errors.push(error)
      }
      yield
    }
    moveTo(end)
    if (errors.length > 0) throw errors[0]
  }

  return {
    now: () => now,
    wall: () => wall,
    after,
    frame: (callback) => after((Math.floor(now / FRAME_MS) + 1) * FRAME_MS - now, callback),
    advance(ms) {
      const steps = stepThrough(ms)
      while (!steps.next().done);
    },
    async advanceAsync(ms) {
      await continuations()
      const steps = stepThrough(ms)
      while (!steps.next().done) await continuations()
    },
    setWall(ms) {
      check(Number.isFinite(ms), 'finite ms', ms)
      wall = ms
    },
    get pending() {
      return timers.size()
    },
  }
}

/** Resolves when all ready promise continuations, and those that they cause, have run. No fake timers delay it. */
async function continuations(): Promise<void> {
  const { MessageChannel, postMessage } = globalThis as Partial<typeof globalThis>
  if (MessageChannel) {
    const { port1, port2 } = new MessageChannel()
    await new Promise((resolve) => {
      port1.onmessage = resolve
      port2.postMessage(undefined)
    })
    port1.close()
  } else if (postMessage) {
    // In Jest's jsdom only a window can post a message, to itself.
    await new Promise((resolve) => {
      addEventListener('message', resolve, { once: true })
      postMessage(undefined, '*')
    })
  } else {
    // The Edge runtime has no message tasks. Chains of continuations are rarely this long.
    for (let turns = 0; turns < 1000; turns++) await Promise.resolve()
  }
}
