/** The version of the format below. Each has its own channel and items, so that two versions do not disturb each other. */
export const FORMAT = 1

/**
 * The message of a tab about one key, on the channel and in storage. Instants are in ms since 1970, as the monotonic clocks of two
 * tabs differ; 0: none.
 */
export type TabMessage = [
  id: string,
  /** When it was sent; 0: the tab is closed. */
  at: number,
  /** 1 if calls of the tab wait for their turn. */
  waits: number,
  /** When it last sent a request. */
  sentAt: number,
  inFlight: number,
  /** Requests that have passed, and that have ended otherwise, since its last message. */
  passed: number,
  gone: number,
  /** 1 if a refusal has closed its gate in a new event. */
  isRefused: number,
  /** The server's rate per second as it knows it; 0: unknown. */
  rate: number,
  /** When the next request is due at that rate. */
  nextAt: number,
  /** When its gate opens. */
  opensAt: number,
  /** Requests left of the scarcest limit that the server has named, and until when. */
  left: number,
  leftUntil: number,
]

/** The most requests that a message may name. */
const MOST = 1000

export const isMessage = (value: unknown): value is TabMessage =>
  Array.isArray(value) &&
  value.length === 13 &&
  typeof value[0] === 'string' &&
  value.slice(1).every((part) => typeof part === 'number' && part >= 0 && part < Infinity) &&
  [value[4], value[5], value[6]].every((count) => count <= MOST)
