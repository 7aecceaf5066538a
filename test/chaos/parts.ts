import type { ChaosPart } from './part.ts'
import { batchPart } from './parts/batch.ts'
import { circuitBreakerPart } from './parts/circuit-breaker.ts'
import { concurrencyLimiterPart } from './parts/concurrency-limiter.ts'
import { debounceAsyncPart } from './parts/debounce-async.ts'
import { debounceKeyedPart } from './parts/debounce-keyed.ts'
import { debounces } from './parts/debounce.ts'
import { keyedLimiters } from './parts/keyed-limiter.ts'
import { limiters } from './parts/limiter.ts'
import { pacedFetchPart } from './parts/paced-fetch.ts'
import { queuePart } from './parts/queue.ts'
import { rateMeterPart } from './parts/rate-meter.ts'
import { retryBudgetPart } from './parts/retry-budget.ts'
import { sometimesPart } from './parts/sometimes.ts'
import { throttleFramePart } from './parts/throttle-frame.ts'

/** Every part of the library that has a state. */
export const parts: readonly ChaosPart[] = [
  ...debounces,
  throttleFramePart,
  debounceKeyedPart,
  debounceAsyncPart,
  batchPart,
  sometimesPart,
  rateMeterPart,
  retryBudgetPart,
  ...limiters,
  ...keyedLimiters,
  concurrencyLimiterPart,
  queuePart,
  circuitBreakerPart,
  pacedFetchPart,
]
