/** Requests in flight that a bucket begins with, as long as nothing is known of its server. RFC 6928 has 10 packets. */
const FIRST_WINDOW = 8
/** A window this wide needs no limit any more. R63 */
const WIDEST_WINDOW = 64

/**
 * Whether a bucket may send. Closed until an instant after a throttle; then one probe goes out; after it a
 * window of 2, 4, 8 … requests (the ramp); then no window at all. Requests are told apart by their sequence numbers: the
 * outcome of one sent before a closing says nothing about the window after it.
 */
export interface Gate {
  /** The instant it opens at; in the past, or −Infinity, when it is open. */
  readonly opensAt: number
  /** How many requests may be in flight after a closing: 1 for the probe, Infinity when fully open. */
  readonly window: number
  /** Whether the refusal of that request is a new event, and not one more of the last. R54 */
  isNew: (sequence: number) => boolean
  /** Throttle events in a row with no success since, before the one that this throttle is or belongs to. */
  throttlesBefore: (sequence: number) => number
  /** Whether the window has room for one more request. */
  hasRoom: () => boolean
  sent: () => void
  /**
   * Closes until `at`, or for longer if it was; `last` is the newest request. Answers whether that was a new event, not one
   * more refusal of the last (R54), or 'ignored' for an answer to what was sent before a reset.
   */
  close: (at: number, sequence: number, last: number, isThrottle: boolean) => boolean | 'ignored'
  /** A request was answered and not throttled. `isBusy`: others wait. */
  passed: (sequence: number, isBusy: boolean, concurrency: number) => void
  /**
   * A request came to nothing. A lost probe hands its role to the next request, from `nextAt` on, which closes the
   * gate once more: then the answer is that instant. R64
   */
  failed: (sequence: number, nextAt: () => number) => number | undefined
  /** Forgets everything; the answers to what was sent so far say nothing any more. */
  reset: (last: number) => void
}

/**
 * @param resume whether reopening starts with a probe and a ramp, or lets everything go.
 * @param isUnknown whether nobody has said what the server bears: then the first requests are held to a window, which widens
 * as they fill it.
 */
export function createGate(resume: () => 'ramp' | 'all', isUnknown: () => boolean): Gate {
  let opensAt: number
  let window: number
  let throttles: number
  let isFirst: boolean
  let eventAfter: number
  let closedAfter: number
  let resetAfter: number
  let inWindow: number
  let passedInWindow: number

  function reset(last: number): void {
    opensAt = -Infinity
    isFirst = isUnknown()
    window = isFirst ? FIRST_WINDOW : Infinity
    throttles = inWindow = passedInWindow = 0
    eventAfter = closedAfter = resetAfter = last
  }
  reset(0)

  const width = (): number => (isFirst && !isUnknown() ? Infinity : window)

  return {
    get opensAt() {
      return opensAt
    },
    get window() {
      return isFirst ? Infinity : window
    },
    isNew: (sequence) => sequence > eventAfter,
    throttlesBefore: (sequence) => Math.max(sequence > eventAfter ? throttles : throttles - 1, 0),
    hasRoom: () => inWindow < width(),
    sent() {
      inWindow++
    },
    close(at, sequence, last, isThrottle) {
      if (sequence <= resetAfter) return 'ignored'
      const isNew = isThrottle && sequence > eventAfter
      opensAt = Math.max(opensAt, at)
      if (isNew) {
        throttles++
        eventAfter = last
      }
      closedAfter = last
      isFirst = false
      window = resume() === 'ramp' ? 1 : Infinity
      inWindow = passedInWindow = 0
      return isNew
    },
    passed(sequence, isBusy, concurrency) {
      if (sequence <= closedAfter) return
      const wasFull = inWindow-- >= window
      throttles = 0
      // Nobody knows of a first window that was never full what a wider one would do.
      if (isFirst && !wasFull && !isBusy) return
      if (++passedInWindow < window) return
      window *= 2
      passedInWindow = 0
      if (concurrency < Infinity ? window >= concurrency : window > WIDEST_WINDOW || !(isFirst || isBusy))
        window = Infinity
    },
    failed(sequence, nextAt) {
      if (sequence <= closedAfter) return undefined
      inWindow--
      return window === 1 ? (opensAt = nextAt()) : undefined
    },
    reset,
  }
}
