import type { EventDetail } from './events.ts'
import type { Settings } from './options.ts'

/** What a bucket needs of the fetch that it belongs to. */
export interface BucketHost {
  readonly settings: Settings
  /** What sends. */
  readonly send: typeof fetch
  /** Whether somebody wants to hear of changes: then the opening of the gate is one. */
  isWatched: () => boolean
  changed: () => void
  emit: (key: string, detail: EventDetail) => void
}
