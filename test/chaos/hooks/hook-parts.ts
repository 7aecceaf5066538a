import type { ChaosPart } from '../part.ts'
import { debouncedAsyncPart } from './async.ts'
import { batchesPart } from './batches.ts'
import { callbacks } from './callbacks.ts'
import { fetchesPart } from './fetches.ts'
import { values } from './values.ts'

/** Every hook that holds something back, in a component that comes and goes. They need a document. */
export const hookParts: readonly ChaosPart[] = [
  ...callbacks,
  ...values,
  batchesPart,
  debouncedAsyncPart,
  fetchesPart,
]
