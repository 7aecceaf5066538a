import type { Bucket } from './bucket-types.ts'
import { isHidden, isOffline, onWake } from './page.ts'
import type { Settings } from './settings.ts'

/** The requests of all buckets together, and which buckets wait. */
export interface Traffic {
  /** The number of the newest request. */
  readonly newest: number
  /** A request goes out; answers its number. */
  departs: () => number
  /** It is over. */
  returns: () => void
  /** Lets those who have waited longest go first, if they share the places in flight. */
  takeTurns: () => void
  /** Whether there may be one more in flight, and the page is not hidden where that stops them. */
  mayDepart: () => boolean
  /** A bucket has begun to wait, or has ceased to. */
  waits: (bucket: Bucket, isWaiting: boolean) => void
}

export function createTraffic(settings: () => Settings): Traffic {
  const waiting = new Set<Bucket>()
  let stopWaking: (() => void) | undefined
  let newest = 0
  let inFlight = 0
  let isTurning = false

  function takeTurns(): void {
    if (isTurning || settings().maxInFlight === Infinity) return
    isTurning = true
    for (const bucket of [...waiting].sort((a, b) => a.nextArrival() - b.nextArrival())) bucket.update()
    isTurning = false
  }

  function wake(): void {
    for (const bucket of [...waiting]) bucket.update(!isOffline())
  }

  return {
    get newest() {
      return newest
    },
    departs() {
      inFlight++
      return ++newest
    },
    returns() {
      inFlight--
    },
    takeTurns,
    mayDepart: () => inFlight < settings().maxInFlight && !(settings().pauseWhenHidden && isHidden()),
    waits(bucket, isWaiting) {
      if (isWaiting) waiting.add(bucket)
      else waiting.delete(bucket)
      // R130: listens only while somebody waits.
      if (waiting.size > 0) stopWaking ??= onWake(wake)
      else {
        stopWaking?.()
        stopWaking = undefined
      }
    },
  }
}
