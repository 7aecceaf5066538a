import type { AwakeTime } from './awake-time.ts'
import type { Bucket, Call } from './bucket-types.ts'
import type { EventDetail } from './events.ts'
import type { Settings } from './settings.ts'

/** What a bucket needs of the fetch that it belongs to. */
export interface BucketHost {
  readonly settings: Settings
  readonly time: AwakeTime
  /** What sends. */
  readonly send: (input: RequestInfo, init: RequestInit | undefined) => Promise<Response>
  /** Tells of an event; undefined if nobody listens, so that it need not be made. R151 */
  readonly tell: ((key: string, detail: EventDetail) => void) | undefined
  /** Whether somebody wants to hear of changes: then the opening of the gate is one. */
  isWatched: () => boolean
  changed: () => void
  /** The number of the newest request of all buckets. */
  readonly newest: number
  /** A request goes out; answers its number. */
  departs: () => number
  /** It is over. */
  returns: () => void
  /** Whether all buckets together may have one more in flight, and the page is not hidden where that stops them. */
  mayDepart: () => boolean
  /** Whom a throttle is charged to: the bucket of where the response came from. R56, R57 */
  chargedFor: (call: Call, response: Response) => Bucket | undefined
  /** A bucket has begun to wait, or has ceased to. */
  waits: (bucket: Bucket, isWaiting: boolean) => void
}
