/**
 * Whether a bucket may send. Closed until an instant after a throttle; then one probe goes out; after it a
 * window of 2, 4, 8 … requests (the ramp); then no window at all.
 */
export interface Gate {
  /** The instant it opens at; in the past, or −Infinity, when it is open. */
  readonly opensAt: number
  /** How many requests may be in flight: 1 for the probe, Infinity when fully open. */
  readonly window: number
  /** Throttle events in a row with no success since, before the one that a throttle in `epoch` is or belongs to. */
  throttlesBefore: (epoch: number) => number
  /** Whether the window has room for one more request. */
  hasRoom: () => boolean
  /** A request goes out. Answers the epoch it belongs to, which its outcome is to be reported with. */
  sent: () => number
  /** Closes until `at`, or for longer if it was. Answers whether that was a new event, not one more of the last. */
  close: (at: number, epoch: number) => boolean
  /** A request was answered and not throttled; `ends` says whether a window this wide needs no limit any more. */
  passed: (epoch: number, ends: (window: number) => boolean) => void
  /**
   * A request came to nothing. A lost probe hands its role to the next request, from `nextAt` on, which closes the
   * gate once more: then the answer is that instant.
   */
  failed: (epoch: number, nextAt: () => number) => number | undefined
}

/** @param resume whether reopening starts with a probe and a ramp, or lets everything go. */
export function createGate(resume: () => 'ramp' | 'all'): Gate {
  let opensAt = -Infinity
  let window = Infinity
  let throttles = 0
  // Requests sent before a closing belong to an earlier epoch: what becomes of them says nothing about this one.
  let epoch = 0
  let inWindow = 0
  let passedInWindow = 0

  return {
    get opensAt() {
      return opensAt
    },
    get window() {
      return window
    },
    throttlesBefore: (requestEpoch) => Math.max(requestEpoch === epoch ? throttles : throttles - 1, 0),
    hasRoom: () => inWindow < window,
    sent() {
      inWindow++
      return epoch
    },
    close(at, requestEpoch) {
      const isNew = requestEpoch === epoch
      opensAt = Math.max(opensAt, at)
      if (isNew) throttles++
      epoch++
      window = resume() === 'ramp' ? 1 : Infinity
      inWindow = passedInWindow = 0
      return isNew
    },
    passed(requestEpoch, ends) {
      if (requestEpoch !== epoch) return
      inWindow--
      throttles = 0
      if (++passedInWindow < window) return
      window *= 2
      passedInWindow = 0
      if (ends(window)) window = Infinity
    },
    failed(requestEpoch, nextAt) {
      if (requestEpoch !== epoch) return undefined
      inWindow--
      return window === 1 ? (opensAt = nextAt()) : undefined
    },
  }
}
