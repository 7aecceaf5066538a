/** The version of the format below. Each has its own channel and items, so that two versions do not disturb each other. */
export const FORMAT = 3

/**
 * The state of a tab for one key, which is its message on the channel and in storage. Instants are in ms since 1970, as the
 * monotonic clocks of two tabs differ; 0: none.
 */
export interface TabMessage {
  /** Random, from 0 to 1. */
  readonly id: number
  /** When it was sent. */
  at: number
  /** Calls that have not settled. */
  calls: number
  inFlight: number
  /** Requests that have passed since its last message. */
  passed: number
  /** When it last sent a request, plus its id: no two tabs have the same. */
  sentAt: number
  /** When its cooldown ends. */
  opensAt: number
  /** When the newest response came that names a limit, and its fields. */
  readAt: number
  fields: [name: string, value: string][]
}

/** The most requests in a message. */
const MOST = 1000

/** Whether `given` is like the message `own`; null throws. Its `fields` are checked where they are used. */
export const isMessage = (given: TabMessage, own: TabMessage): boolean =>
  (Object.keys(own) as (keyof TabMessage)[]).every(
    (name) => name === 'fields' || (Number.isFinite(given[name]) && given[name] >= 0),
  ) && given.inFlight + given.passed <= MOST
