import type { AwakeTime } from './awake-time.ts'
import type { Bucket, Call } from './bucket-types.ts'
import type { EventDetail } from './events.ts'
import type { Settings } from './settings.ts'
import type { Traffic } from './traffic.ts'

/** What a bucket needs of the fetch that it belongs to. */
export interface BucketHost {
  readonly settings: Settings
  readonly time: AwakeTime
  /** Aborted when the fetch is disposed of. */
  readonly disposal: AbortSignal
  /** What sends. */
  readonly send: (input: RequestInfo, init: RequestInit | undefined) => Promise<Response>
  /** Tells of an event; undefined if nobody listens, so that it need not be made. R151 */
  readonly tell: ((key: string, detail: EventDetail) => void) | undefined
  /** Whether somebody wants to hear of changes: then the opening of the gate is one. */
  isWatched: () => boolean
  changed: () => void
  readonly traffic: Traffic
  /** Whom a throttle is charged to: the bucket of where the response came from. R56, R57 */
  chargedFor: (call: Call, response: Response) => Bucket
}
