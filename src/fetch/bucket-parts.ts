import type { BucketHost } from './bucket-host.ts'
import type { Bucket, Call } from './bucket-types.ts'
import type { Flow } from './flow.ts'
import type { Gatekeeper } from './gatekeeper.ts'
import type { Toll } from './toll.ts'
import type { WaitingLine } from './waiting-line.ts'

/** What a bucket is made of, for those functions that each do a part of its work. */
export interface BucketParts {
  readonly key: string
  readonly host: BucketHost
  readonly line: WaitingLine
  readonly flow: Flow
  readonly keeper: Gatekeeper
  readonly toll: Toll
  readonly self: Bucket
  /** Requests sent and not yet answered. */
  inFlight: number
  /** Responses whose bodies still hold a place. */
  held: number
  /** When a request was last sent or answered. */
  lastAt: number
  /** The earliest instant at which the call may go; Infinity: not before something else happens. */
  readonly nextAt: (call: Call, now: number) => number
  /** Sends all that may go now, and sets the alarm for the rest. */
  readonly pump: () => void
}
