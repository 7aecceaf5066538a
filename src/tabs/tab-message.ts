/** The version of the format below. Each has its own channel and items, so that two versions do not disturb each other. */
export const FORMAT = 4

/**
 * The state of a tab for one key, as it is sent on the channel and stored. Instants are in ms since 1970, because the monotonic
 * clocks of two tabs differ; 0 means none.
 */
export interface TabMessage {
  /** A random number, at least 0 and below 1. */
  readonly id: number
  /** When it was sent. */
  at: number
  /** Calls that have not settled. */
  calls: number
  inFlight: number
  /** Requests that have passed since its last message. */
  passed: number
  /** When it last sent a request, plus its id, so that no two tabs have the same. */
  sentAt: number
  /** When its cooldown ends. */
  opensAt: number
  /** When the newest response that names a limit came, and its fields. */
  readAt: number
  fields: [name: string, value: string][]
  /** When the rate that it has learned allows the next request. */
  pacedAt: number
}

/** A message with more requests in flight is ignored, as are all messages while there are this many tabs, or requests of them. */
export const MOST = 1000

/** Whether `given` has the shape of the message `own`. Throws for null. `fields` are checked where they are used. */
export const isMessage = (given: TabMessage, own: TabMessage): boolean =>
  (Object.keys(own) as (keyof TabMessage)[]).every(
    (name) => name === 'fields' || (Number.isFinite(given[name]) && given[name] >= 0),
  ) && given.inFlight <= MOST
