import type { Clock } from '../core/time/clock.ts'
import type { HeldAndTimed } from '../core/debounce/debounce.ts'
import { debounce } from '../core/debounce/debounce.ts'
import type { Commit } from './commit.ts'
import type { Equals } from './same-value.ts'
import { unlessBack } from './unless-back.ts'
import { withTiming, type TimingOptions, type WithTiming } from './with-timing.ts'

/** Shows the values that it is told of, once they rest. */
export interface Follower<Value> {
  /** As of a commit: the value there, and the options. */
  follow: (value: Value, wait: number, options: FollowOptions<Value>) => void
  /** Drops what is pending; `follow` begins anew. */
  stop: () => void
}

interface FollowOptions<Value> extends TimingOptions {
  equals: Equals<Value>
  commit: Commit
}

/** Most values never change: nothing is made for them. */
export function createFollower<Value>(
  clock: Clock,
  initial: Value,
  show: (next: Value) => void,
): Follower<Value> {
  let timed: WithTiming<HeldAndTimed<unknown, [Value], void>> | undefined
  // What was set last: a transition may not show it yet.
  let current = initial
  let asked = initial
  let lastOptions: FollowOptions<Value>
  let isStopped = false

  function set(next: Value): void {
    const { commit, equals } = lastOptions
    // Back where it was: what is shown stays the same object.
    if (equals(next, current)) return
    current = next
    commit(() => show(next))
  }

  return {
    follow(value, wait, options) {
      lastOptions = options
      isStopped = false
      const isNew = !options.equals(value, timed?.debounced.isPending() ? asked : current)
      // A condition is to be listened to before it is on.
      if (!isNew && !timed && !options.holdWhile) return
      timed ??= withTiming(debounce(set, wait, { clock }))
      timed.setTiming(wait, options)
      // A value that is back to what is shown replaces the one that is pending.
      if (isNew) timed.debounced((asked = value))
    },
    stop() {
      isStopped = true
      timed?.suspend()
      unlessBack(
        () => !isStopped,
        () => timed?.[Symbol.dispose](),
      )
    },
  }
}
