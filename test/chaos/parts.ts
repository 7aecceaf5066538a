import type { ChaosPart } from './part.ts'
import { batchPart } from './parts/batch.ts'
import { debounceAsyncPart } from './parts/debounce-async.ts'
import { debounces } from './parts/debounce.ts'
import { limiters } from './parts/limiter.ts'
import { fetchPart } from './parts/fetch.ts'
import { queuePart } from './parts/queue.ts'

/** The parts of the core and the fetch that delay something. */
export const parts: readonly ChaosPart[] = [
  ...debounces,
  debounceAsyncPart,
  batchPart,
  ...limiters,
  queuePart,
  fetchPart,
]
