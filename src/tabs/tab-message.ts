/** Of the format below. Another one has another channel and other items, so that two versions do not disturb each other. */
export const FORMAT = 2

/**
 * What a tab says of one key, on the channel and in storage. Instants are in ms since 1970, as the monotonic clocks of two tabs
 * do not agree; 0: none.
 */
export type TabMessage = [
  id: string,
  /** When it was said; 0: the tab is gone. */
  at: number,
  /** 1 if it has calls in the queue. */
  waits: number,
  inFlight: number,
  /** Requests that it has sent, and that have passed, since its last message. */
  sent: number,
  passed: number,
  /** 1 if a refusal that is a new event has closed its gate. */
  isRefused: number,
  /** When its gate opens. */
  opensAt: number,
  /** Requests that are left of the scarcest limit that the server has named, and until when that holds. */
  left: number,
  leftUntil: number,
  /** When the next request is due at the rate that the server has named, and ms from one to the next. */
  nextAt: number,
  intervalMs: number,
]

/** More requests of a tab are not counted. */
const MOST = 1000

export const isMessage = (value: unknown): value is TabMessage =>
  Array.isArray(value) &&
  value.length === 12 &&
  typeof value[0] === 'string' &&
  value.slice(1).every((part) => typeof part === 'number' && part >= 0 && part < Infinity) &&
  [value[3], value[4], value[5]].every((count) => count <= MOST)
