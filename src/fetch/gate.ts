import type { Call } from './call.ts'

/** A window this wide needs no limit any more. */
const WIDEST_WINDOW = 64
/** A request without an answer for so long no longer keeps others from being sent. */
const SILENT_MS = 10_000
/** The same as long as the gate has never closed: a slow server is no reason to wait. */
const FIRST_SILENT_MS = 250

/**
 * Whether a bucket may send: closed for a cooldown after a throttled response; then one probe; after it a window of 2, 4, 8 …
 * requests in flight; then open. Requests are told apart by their sequence numbers: what becomes of one sent before a
 * closing says nothing of the window after it.
 */
export interface Gate {
  /** The instant at which it opens; in the past, or −Infinity, if it is open. */
  readonly opensAt: number
  /** How many requests may be in flight: 1 for the probe, Infinity if fully open. */
  readonly window: number
  /** The instant from which one more request may be in flight; Infinity: when one of them has ended. */
  roomAt: (now: number) => number
  sent: (call: Call) => void
  /** Whether a refusal of that request is a new event, and not one more of the last. */
  isNew: (sequence: number) => boolean
  /** Events in a row, with no success since, before the one that a refusal of that request is or belongs to. */
  throttlesBefore: (sequence: number) => number
  /**
   * Closes until `at`, or for longer if it already is. `last` is the number of the newest request. Returns whether that was a
   * new event; undefined, and does nothing, for a request sent before a reset.
   */
  close: (at: number, sequence: number, last: number, isThrottle: boolean) => boolean | undefined
  /** The server took a request. `isBusy`: others wait. */
  passed: (call: Call, isBusy: boolean, concurrency: number) => void
  /** A request has ended and says nothing. Returns whether it was the probe. */
  ended: (call: Call) => boolean
  /** Begins with a window, which grows as it is filled. */
  start: (width: number) => void
  /** Forgets everything; what becomes of requests up to `last` says nothing any more. */
  reset: (last: number) => void
}

export function createGate(): Gate {
  let opensAt = -Infinity
  let window = Infinity
  let throttles = 0
  let passed = 0
  let widest = WIDEST_WINDOW
  /** It has never closed: the window is the one that a policy began with. */
  let isFirst = false
  let eventAfter = 0
  let closedAfter = 0
  let resetAfter = 0
  /** In the order of sending. */
  const inWindow = new Set<Call>()

  function setWindow(width: number): void {
    window = width
    passed = 0
    if (width === Infinity) inWindow.clear()
  }

  return {
    get opensAt() {
      return opensAt
    },
    get window() {
      return isFirst ? Infinity : window
    },
    roomAt(now) {
      for (const call of inWindow) {
        if (inWindow.size < window) break
        const silentAt = call.sentAt + (isFirst ? FIRST_SILENT_MS : SILENT_MS)
        if (silentAt > now) return silentAt
        inWindow.delete(call)
      }
      return now
    },
    sent(call) {
      if (window < Infinity) inWindow.add(call)
    },
    isNew: (sequence) => sequence > eventAfter,
    throttlesBefore: (sequence) => Math.max(sequence > eventAfter ? throttles : throttles - 1, 0),
    close(at, sequence, last, isThrottle) {
      if (sequence <= resetAfter) return undefined
      const isNew = isThrottle && sequence > eventAfter
      opensAt = Math.max(opensAt, at)
      if (isNew) {
        throttles++
        eventAfter = last
      }
      closedAfter = last
      isFirst = false
      widest = WIDEST_WINDOW
      inWindow.clear()
      setWindow(1)
      return isNew
    },
    passed(call, isBusy, concurrency) {
      if (call.sequence <= closedAfter) return
      const wasFull = inWindow.size >= window
      inWindow.delete(call)
      throttles = 0
      // A first window that was not full does not show what a wider one would do.
      if (window === Infinity || (isFirst && !wasFull && !isBusy) || ++passed < window) return
      const isWide = concurrency < Infinity ? 2 * window >= concurrency : window >= widest
      setWindow(isWide || !(isFirst || isBusy) ? Infinity : 2 * window)
    },
    ended(call) {
      const isProbe = window === 1 && inWindow.has(call)
      inWindow.delete(call)
      return isProbe
    },
    start(width) {
      isFirst = true
      // Three times full without a refusal: what there is of a limit is wide.
      widest = 4 * width
      setWindow(width)
    },
    reset(last) {
      opensAt = -Infinity
      isFirst = false
      throttles = 0
      eventAfter = closedAfter = resetAfter = last
      setWindow(Infinity)
    },
  }
}
