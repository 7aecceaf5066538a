import { checkOneOf } from '../core/check.ts'
import { checkAbove, checkFrom } from '../core/rules/check-number.ts'
import type { Call } from './bucket-types.ts'
import { readArguments } from './request-source.ts'
import type { CallOptions, Priority } from './options.ts'

/** What a call is told to a paced fetch with: `rateLimit` is its own, the rest is the platform's. */
export interface RateLimitedRequestInit extends RequestInit {
  /** What holds for this call only; false: past queue and gate. R61 */
  rateLimit?: CallOptions | false | undefined
}

/** From the one that goes first. */
export const PRIORITIES: readonly Priority[] = ['high', 'auto', 'low']

/**
 * Takes the arguments of a fetch as they are now, so that what is changed later, while the call waits, is not seen.
 * @throws what the platform's fetch rejects with for the same arguments (R5); RangeError for bad call options.
 */
export function createCall(
  input: RequestInfo | URL,
  init: RateLimitedRequestInit | undefined,
  arrival: number,
): Call {
  const options = init?.rateLimit || {}
  if (init?.rateLimit) checkOptions(options)
  const priority = priorityOf(init)
  const source = readArguments(input, init)
  return {
    source,
    signal: source.signal,
    arrival,
    rank: PRIORITIES.indexOf(priority),
    options,
    isBypass: init?.rateLimit === false,
    since: 0,
    attempts: 0,
    isOut: false,
    phase: 'queued',
    isOver: false,
    wakesAt: 0,
    sequence: 0,
    sentAt: 0,
    paid: 0,
    owed: 0,
    admission: undefined,
    buckets: [],
    timeout: undefined,
    place: -1,
    resolve: () => undefined,
    reject: () => undefined,
    abortAttempt: undefined,
    departs: undefined,
    release: [],
  }
}

/** @throws RangeError for a `rateLimit.priority` that is none. */
export function priorityOf(init: RateLimitedRequestInit | undefined): Priority {
  const own = init?.rateLimit ? init.rateLimit.priority : undefined
  if (own !== undefined) checkOneOf(PRIORITIES, 'priority', own)
  // Platforms differ on what is none of them: some ignore it.
  return own ?? PRIORITIES.find((one) => one === init?.priority) ?? 'auto'
}

function checkOptions({ maxWaitMs, maxQueueTimeMs, totalTimeoutMs }: CallOptions): void {
  if (maxWaitMs !== undefined) checkFrom(0, 'maxWaitMs', maxWaitMs)
  if (maxQueueTimeMs !== undefined) checkAbove(0, 'maxQueueTimeMs', maxQueueTimeMs)
  if (totalTimeoutMs !== undefined) checkAbove(0, 'totalTimeoutMs', totalTimeoutMs)
}
