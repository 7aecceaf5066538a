/** What a request takes along when it goes out, and its outcome is reported with. */
export interface Ticket {
  /** Counts the closings: the outcome of a request sent before one says nothing about the window after it. */
  readonly closing: number
  /** Counts the throttle events: the refusals of requests sent before one are part of it. R54 */
  readonly event: number
}

/**
 * Whether a bucket may send. Closed until an instant after a throttle; then one probe goes out; after it a
 * window of 2, 4, 8 … requests (the ramp); then no window at all.
 */
export interface Gate {
  /** The instant it opens at; in the past, or −Infinity, when it is open. */
  readonly opensAt: number
  /** How many requests may be in flight: 1 for the probe, Infinity when fully open. */
  readonly window: number
  /** Throttle events in a row with no success since, before the one that a throttle now is or belongs to. */
  throttlesBefore: (ticket: Ticket) => number
  /** Whether the window has room for one more request. */
  hasRoom: () => boolean
  /** A request goes out. */
  sent: () => Ticket
  /** Closes until `at`, or for longer if it was. Answers whether that was a new event, not one more of the last. */
  close: (at: number, ticket: Ticket) => boolean
  /** A request was answered and not throttled; `ends` says whether a window this wide needs no limit any more. */
  passed: (ticket: Ticket, ends: (window: number) => boolean) => void
  /**
   * A request came to nothing. A lost probe hands its role to the next request, from `nextAt` on, which closes the
   * gate once more: then the answer is that instant.
   */
  failed: (ticket: Ticket, nextAt: () => number) => number | undefined
}

/** @param resume whether reopening starts with a probe and a ramp, or lets everything go. */
export function createGate(resume: () => 'ramp' | 'all'): Gate {
  let opensAt = -Infinity
  let window = Infinity
  let throttles = 0
  let closing = 0
  let event = 0
  let inWindow = 0
  let passedInWindow = 0

  return {
    get opensAt() {
      return opensAt
    },
    get window() {
      return window
    },
    throttlesBefore: (ticket) => Math.max(ticket.event === event ? throttles : throttles - 1, 0),
    hasRoom: () => inWindow < window,
    sent() {
      inWindow++
      return { closing, event }
    },
    close(at, ticket) {
      const isNew = ticket.event === event
      opensAt = Math.max(opensAt, at)
      if (isNew) {
        throttles++
        event++
      }
      closing++
      window = resume() === 'ramp' ? 1 : Infinity
      inWindow = passedInWindow = 0
      return isNew
    },
    passed(ticket, ends) {
      if (ticket.closing !== closing) return
      inWindow--
      throttles = 0
      if (++passedInWindow < window) return
      window *= 2
      passedInWindow = 0
      if (ends(window)) window = Infinity
    },
    failed(ticket, nextAt) {
      if (ticket.closing !== closing) return undefined
      inWindow--
      return window === 1 ? (opensAt = nextAt()) : undefined
    },
  }
}
