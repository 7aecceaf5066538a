import type { DeniedEvent, LimiterOptions, LimiterSnapshot } from './limiter-types.ts'
import { createWatchers } from '../shared/watchers.ts'

/** What happened at a limit, for who looks at it. */
export interface LimiterRecord {
  count: (isAllowed: boolean, cost: number, at: number) => void
  /** Somebody waited for `ms`. */
  waited: (ms: number) => void
  /** The same object as long as neither `state` nor a count changed; `level` is read when asked for. */
  snapshot: (state: LimiterState, level: () => number) => LimiterSnapshot
  subscribe: (listener: () => void) => () => void
  notify: () => void
}

type LimiterState = Pick<LimiterSnapshot, 'ratePerSecond' | 'burst' | 'waiting' | 'isBypassed'>

/** Waits of 2^18 ms (over four minutes) and more count as one. */
const WAIT_CLASSES = 20

export function createLimiterRecord(onEvent?: LimiterOptions['onEvent']): LimiterRecord {
  const watchers = createWatchers()
  const { notify } = watchers
  let allowed = 0
  let denied = 0
  let waits: number[] | undefined
  let last: LimiterSnapshot | undefined
  let lastKey: string

  return {
    count(isAllowed, cost, at) {
      if (isAllowed) allowed++
      else {
        denied++
        onEvent?.({ type: 'denied', cost, at } satisfies DeniedEvent)
      }
      notify()
    },
    waited(ms) {
      // Below 0 if the clock was set back meanwhile.
      const shown = Math.min(Math.max(ms, 0), 2 ** (WAIT_CLASSES - 2))
      if (waits) waits[32 - Math.clz32(shown)]!++
    },
    snapshot(state, level) {
      const counted = { ...state, allowed, denied }
      const key = JSON.stringify([counted, waits])
      if (last && key === lastKey) return last
      lastKey = key
      return (last = Object.freeze({
        ...counted,
        waits: waits?.slice(),
        get level() {
          return level()
        },
      }))
    },
    subscribe(listener) {
      waits ??= new Array<number>(WAIT_CLASSES).fill(0)
      const unsubscribe = watchers.subscribe(listener)
      return () => {
        unsubscribe()
        if (!watchers.isWatched()) waits = undefined
      }
    },
    notify,
  }
}
