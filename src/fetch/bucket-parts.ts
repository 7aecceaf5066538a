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
  /** An answer is being judged: nothing is sent until it is known what it means. */
  isJudging: boolean
  /** The earliest instant at which the call may go; Infinity: not before something else happens. */
  readonly nextAt: (call: Call, now: number) => number
  /** The opening of the gates that those in the queue have been judged by. */
  judgedAt: number
  /** Whether calls of other buckets wait for this one's gate. */
  readonly hasWaiters: () => boolean
  /** Sends all that may go now, and sets the alarm for the rest; anew, if this is not a timer's doing. */
  readonly pump: (isFresh?: boolean) => void
}
