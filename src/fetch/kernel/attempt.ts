import { abortError } from '../../core/shared/abort.ts'
import type { Call, Outcome } from './call.ts'
import { readRetryAfter } from '../headers/retry-after.ts'
import type { KernelOptions } from '../options.ts'
import type { Reading } from '../policy.ts'
import { discard } from './request.ts'

/** The longest delay that platforms take. */
export const LONGEST_MS: number = 2 ** 31 - 1

/**
 * Sends the call once and resolves with the outcome; at once when the call is given up or the attempt takes too long, even if
 * `send` ignores its signal. The request gets a signal of its own only where there is a timeout.
 */
export function attempt(
  call: Call,
  isLast: boolean,
  { attemptTimeoutMs, clock }: KernelOptions,
  send: typeof fetch,
  classify: (response: Response) => Outcome,
): Promise<Outcome> {
  const { signal, source, totalTimeoutMs } = call
  const own = Math.min(attemptTimeoutMs, totalTimeoutMs) <= LONGEST_MS ? new AbortController() : undefined
  return new Promise((resolve) => {
    let isOver = false
    let stopTimer: (() => void) | undefined
    const end = (outcome: Outcome): void => {
      isOver = true
      stopTimer?.()
      resolve(outcome)
    }
    const cancel = (kind: Outcome['kind'], error: unknown): void => {
      end({ kind, error })
      own?.abort(error)
    }
    call.interrupt = (error) => cancel('aborted', error)
    // A listener of events may have given it up.
    if (call.isOver) return call.interrupt(call.reason)
    if (attemptTimeoutMs <= LONGEST_MS)
      stopTimer = clock.after(attemptTimeoutMs, () =>
        cancel('lost', abortError(`No response within ${attemptTimeoutMs} ms`, 'TimeoutError')),
      )
    const { any } = AbortSignal as Partial<typeof AbortSignal>
    // Both signals, so that the caller's can still abort the body.
    const either = own && signal && any ? any.call(AbortSignal, [signal, own.signal]) : own?.signal
    // A `fetch` option may throw, or return no promise.
    new Promise<Response>((came) => came(send(...source.toArguments(isLast, either))))
      .then(
        (response) => (isOver ? discard(response) : end(classify(response))),
        // An abort says nothing about the server.
        (error: unknown) =>
          end({
            kind: signal?.aborted || (error as Error | undefined)?.name === 'AbortError' ? 'aborted' : 'lost',
            error,
          }),
      )
      // A callback threw, or no response came: only this call rejects.
      .catch((error: unknown) => end({ kind: 'opaque', error }))
  })
}

/** What a response means for its bucket and its call. `read` asks the policies what it says of limits. */
export function classify(
  response: Response,
  { clock, isThrottled, onEvent }: KernelOptions,
  read: (response: Response, wallMs: number) => readonly (Reading | undefined)[],
): Outcome {
  const { status, type } = response
  // An opaque response has no status.
  if (!status) return { kind: 'opaque', response }
  // A mocked fetch may return a response without headers.
  const headers = (response.headers as Partial<Headers> | undefined)?.get && response.headers
  const wallMs = clock.wall()
  // In a success only the event shows it.
  const own: Reading = headers && (status >= 400 || onEvent) ? readRetryAfter(headers, wallMs) : {}
  // The fields of a 304 are those of the cached response.
  const readings = headers && status !== 304 ? read(response, wallMs) : []
  const { waitMs, source = own.source }: Reading =
    [own, ...readings].find((reading) => reading?.waitMs !== undefined) ?? own
  const isRefused = status === 429 || (status === 503 && waitMs !== undefined) || isThrottled?.(response)
  // A page reads only exposed headers of another origin.
  const isHidden = isRefused && type === 'cors' && !readings.some((reading) => reading?.source)
  return {
    kind: isRefused ? 'throttled' : status >= 500 ? 'failed' : 'passed',
    response,
    waitMs,
    source: source ?? (isHidden ? 'none' : 'backoff'),
    readings,
  }
}
