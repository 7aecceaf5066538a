/** The version of the format below. Each has its own channel and items, so that two versions do not disturb each other. */
export const FORMAT = 2

/**
 * The message of a tab about one key, on the channel and in storage. Instants are in ms since 1970, as the monotonic clocks of two
 * tabs differ; 0: none.
 */
export type TabMessage = [
  /** A number of the tab, from 0 to 1. */
  id: number,
  /** When it was sent. */
  at: number,
  /** Calls that have not settled; 0 also if the tab is closed. */
  calls: number,
  inFlight: number,
  /** Requests that have passed since its last message. */
  passed: number,
  /** 1 if a refusal has closed its gate in a new event. */
  isRefused: number,
  /** The server's rate per second that it knows; 0: unknown. */
  rate: number,
  /** When it last sent a request, plus its id: no two tabs have the same. */
  sentAt: number,
  /** When its gate opens. */
  opensAt: number,
  /** When the newest response came that names a limit, and its fields. */
  readAt: number,
  fields: [name: string, value: string][],
]

/** The most requests that a message may name. */
const MOST = 1000

/** Whether `value` has the format; its fields are checked as they are read. */
export const isMessage = (value: unknown): value is TabMessage =>
  Array.isArray(value) &&
  value.length === 11 &&
  Array.isArray(value.at(-1)) &&
  value.slice(0, -1).every((part) => typeof part === 'number' && part >= 0 && part < Infinity) &&
  Math.max(value[3] as number, value[4] as number) <= MOST
