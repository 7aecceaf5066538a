import type { Clock } from '../core/clock.ts'
import { debounce, type HeldAndTimed } from '../core/debounce.ts'
import type { Commit } from './commit.ts'
import { keepTiming, type TimingOptions } from './keep-timing.ts'
import type { Equals } from './same-value.ts'

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
export function createFollower<Value>(clock: Clock, show: (value: Value) => void): Follower<Value> {
  let held: HeldAndTimed<unknown, [Value], void> | undefined
  let release: (() => void) | undefined
  let last: [value: Value, isShown: boolean] | undefined
  let commit: Commit

  return {
    follow(value, isShown, wait, { equals, commit: newCommit, ...timing }) {
      const isNew = !last || !equals(value, last[0]) || isShown !== last[1]
      last = [value, isShown]
      commit = newCommit
      if (isShown && !held) return
      held ??= debounce((next) => commit(() => show(next)), wait, { ...timing, clock })
      release?.()
      release = keepTiming(held, wait, timing)
      // A value that is back to what is shown replaces the one that is pending.
      if (isNew && (!isShown || held.isPending())) held(value)
    },
    stop() {
      release?.()
      held?.[Symbol.dispose]()
      release = last = undefined
    },
  }
}
