import type { Clock } from '../core/clock.ts'
import { debounce, type HeldAndTimed } from '../core/debounce.ts'
import type { Commit } from './commit.ts'
import type { Equals } from './same-value.ts'
import { withTiming, type TimingOptions, type WithTiming } from './with-timing.ts'

/** Shows the values that it is told of, once they rest. */
export interface Follower<Value> {
  /** As of a commit: the value there, whether it is what is shown, and the options. */
  follow: (value: Value, isShown: boolean, wait: number, options: FollowOptions<Value>) => void
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
  show: (next: (shown: Value) => Value) => void,
): Follower<Value> {
  let timed: WithTiming<HeldAndTimed<unknown, [Value], void>> | undefined
  let last: [value: Value, isShown: boolean] | undefined
  let lastOptions: FollowOptions<Value>

  function showLast(next: Value): void {
    const { commit, equals } = lastOptions
    commit(() => show((shown) => (equals(next, shown) ? shown : next)))
  }

  return {
    follow(value, isShown, wait, options) {
      const { equals } = options
      const isNew = !last || !equals(value, last[0]) || isShown !== last[1]
      last = [value, isShown]
      lastOptions = options
      // A condition is to be listened to before it is on.
      if (isShown && !timed && !options.holdWhile) return
      timed ??= withTiming(debounce(showLast, wait, { clock }))
      timed.setTiming(wait, options)
      // A value that is back to what is shown replaces the one that is pending.
      if (isNew && (!isShown || timed.held.isPending())) timed.held(value)
    },
    stop() {
      timed?.[Symbol.dispose]()
      last = undefined
    },
  }
}
