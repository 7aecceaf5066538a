/** Of the format below. Another one has another channel and other items, so that two versions do not disturb each other. */
export const FORMAT = 1

/**
 * What a tab says of one key, on the channel and in storage. Instants are in ms since 1970, as the monotonic clocks of two tabs
 * do not agree; 0: none.
 */
export type TabMessage = [
  id: string,
  /** When it was said; 0: the tab is gone. */
  at: number,
  /** 1 if calls of it wait for their turn. */
  waits: number,
  /** When it last sent a request. */
  sentAt: number,
  inFlight: number,
  /** Requests that have passed, and that have ended otherwise, since its last message. */
  passed: number,
  gone: number,
  /** 1 if a refusal that is a new event has closed its gate. */
  isRefused: number,
  /** What it knows of the server's rate, per second; 0: nothing. */
  rate: number,
  /** When the next request is due at that rate. */
  nextAt: number,
  /** When its gate opens. */
  opensAt: number,
  /** Requests that are left of the scarcest limit that the server has named, and until when that holds. */
  left: number,
  leftUntil: number,
]

/** More requests of a tab are not counted. */
const MOST = 1000

export const isMessage = (value: unknown): value is TabMessage =>
  Array.isArray(value) &&
  value.length === 13 &&
  typeof value[0] === 'string' &&
  value.slice(1).every((part) => typeof part === 'number' && part >= 0 && part < Infinity) &&
  [value[4], value[5], value[6]].every((count) => count <= MOST)
