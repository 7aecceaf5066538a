import type { Outcome } from '../fetch/call.ts'

/** Of this format. Another one uses another channel and another item, so that two versions do not hear each other. */
export const FORMAT = 1

/** A limit that the server has named: so many requests are left until then, in ms since 1970. */
export type NamedLimit = readonly [name: string, available: number, until: number]

/** What holds for all tabs until it is over. Instants are in ms since 1970, as the monotonic clocks of two tabs do not agree. */
export interface Held {
  /** The gate is closed until then; 0 if it is open. */
  readonly until: number
  readonly limits: readonly NamedLimit[]
}

/** What is stored of one key. */
export interface Entry extends Held {
  /** Until when each tab counts as using the key, by its id. */
  readonly seen: Readonly<Record<string, number>>
}

/** What a tab says of one key. */
export interface TabMessage extends Held {
  readonly id: string
  readonly key: string
  /** Calls of it wait for their turn. */
  readonly waits: boolean
  /** When it last sent one; 0 if it never has. */
  readonly sentAt: number
  /** Its requests in flight, and what has become of others since its last message. */
  readonly inFlight: number
  readonly ended: readonly Outcome['kind'][]
  /** A refusal that is a new one has closed its gate. */
  readonly isRefused: boolean
  /** What it knows of the server's rate; 0 if it knows nothing. */
  readonly ratePerSecond: number
  /** When the next request would be sent at that rate, in ms since 1970. */
  readonly nextAt: number
}

const KINDS = ['passed', 'failed', 'throttled', 'lost', 'aborted', 'opaque']
/** More of anything is not believed. */
const MOST = 1000

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < Infinity
const isText = (value: unknown): boolean => typeof value === 'string' && value.length < 4 * MOST
const isList = (value: unknown, isItem: (item: never) => boolean): boolean =>
  Array.isArray(value) && value.length <= MOST && (value as never[]).every(isItem)

const isHeld = ({ until, limits }: Held): boolean =>
  isAmount(until) && isList(limits, ([name, ...amounts]: NamedLimit) => isText(name) && amounts.every(isAmount))

/** A test that takes what it stumbles over for none of its format. */
const format =
  <Shape>(test: (value: Shape) => boolean) =>
  (value: unknown): value is Shape => {
    try {
      return test(value as Shape)
    } catch {
      return false
    }
  }

export const isMessage: (value: unknown) => value is TabMessage = format(
  (value) =>
    isText(value.id) &&
    isText(value.key) &&
    typeof value.waits === 'boolean' &&
    isAmount(value.sentAt) &&
    isAmount(value.inFlight) &&
    value.inFlight <= MOST &&
    isList(value.ended, (kind) => KINDS.includes(kind)) &&
    isAmount(value.ratePerSecond) &&
    isAmount(value.nextAt) &&
    isHeld(value),
)

export const isEntry: (value: unknown) => value is Entry = format(
  (value) => isHeld(value) && Object.values(value.seen).every(isAmount),
)
