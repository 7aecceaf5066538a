import type { Bucket } from './bucket.ts'
import type { Call, Outcome } from './call.ts'
import { readRetryAfter } from './headers/retry-after.ts'
import type { KernelOptions } from './options.ts'

/** What a response means for its bucket and its call. `read` asks the policies what it says of limits. */
export function classify(
  response: Response,
  { clock, isThrottled, onEvent }: KernelOptions,
  read: Bucket['read'],
): Outcome {
  const { status, headers } = response
  // Nothing is known of an opaque response.
  if (!status) return { kind: 'opaque', response }
  // Of a success only the event shows it.
  const isAsked = status >= 400 || onEvent
  // Stand-ins for a fetch often return less than a response.
  const fields = typeof (headers as Partial<Headers> | undefined)?.get === 'function' ? headers : undefined
  const wallMs = clock.wall()
  const own = isAsked && fields ? readRetryAfter(fields, wallMs) : {}
  // What a 304 says is of another response.
  const readings = status === 304 || !fields?.forEach ? [] : read(response, wallMs)
  const { waitMs, source = own.source } =
    own.waitMs === undefined ? (readings.find((reading) => reading?.waitMs !== undefined) ?? own) : own
  const isRefused = status === 429 || (status === 503 && waitMs !== undefined) || isThrottled?.(response)
  return {
    kind: isRefused ? 'throttled' : status >= 500 ? 'failed' : 'passed',
    response,
    waitMs,
    // Of another origin a page sees only what is exposed to it.
    source:
      isRefused && !source && response.type === 'cors' && !readings.some((reading) => reading?.source)
        ? 'none'
        : (source ?? 'backoff'),
    readings,
  }
}

/** What it means that no response came. An abort says nothing of the server. */
export function classifyError(error: unknown, { signal }: Call): Outcome {
  const isAbort = signal?.aborted || (error as Error | undefined)?.name === 'AbortError'
  return { kind: isAbort ? 'aborted' : 'lost', error }
}
