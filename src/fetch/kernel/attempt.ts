import { abortError } from '../../core/shared/abort.ts'
import type { Call, Outcome } from './call.ts'
import { readRetryAfter } from '../headers/retry-after.ts'
import type { KernelOptions } from '../options.ts'
import type { Reading } from '../policy.ts'
import { discard } from './request.ts'

/** The longest delay that platforms take. */
export const LONGEST_MS: number = 2 ** 31 - 1

/**
 * Sends the call once. Resolves with what has become of it: at once when the call is given up or the attempt takes too long,
 * also if `send` ignores its signal. Only with a timeout does the request get a signal of its own.
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
    // Both of them, so that the caller's still reaches the body when the headers are there.
    const either = own && signal && any ? any.call(AbortSignal, [signal, own.signal]) : own?.signal
    // What the fetch throws is a rejection, and what it returns need be no promise.
    new Promise<Response>((came) => came(send(...source.toArguments(isLast, either))))
      .then(
        (response) => (isOver ? discard(response) : end(classify(response))),
        // An abort says nothing of the server.
        (error: unknown) =>
          end({
            kind: signal?.aborted || (error as Error | undefined)?.name === 'AbortError' ? 'aborted' : 'lost',
            error,
          }),
      )
      // A function of the user's threw, or what came is no response: that costs this call only.
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
  // Nothing is known of an opaque response.
  if (!status) return { kind: 'opaque', response }
  // Stand-ins for a fetch often return less than a response.
  const headers = (response.headers as Partial<Headers> | undefined)?.get && response.headers
  const wallMs = clock.wall()
  // Of a success only the event shows it.
  const own: Reading = headers && (status >= 400 || onEvent) ? readRetryAfter(headers, wallMs) : {}
  // What a 304 says is of another response.
  const readings = headers && status !== 304 ? read(response, wallMs) : []
  const { waitMs, source = own.source }: Reading =
    [own, ...readings].find((reading) => reading?.waitMs !== undefined) ?? own
  const isRefused = status === 429 || (status === 503 && waitMs !== undefined) || isThrottled?.(response)
  // Of another origin a page sees only what is exposed to it.
  const isHidden = isRefused && type === 'cors' && !readings.some((reading) => reading?.source)
  return {
    kind: isRefused ? 'throttled' : status >= 500 ? 'failed' : 'passed',
    response,
    waitMs,
    source: source ?? (isHidden ? 'none' : 'backoff'),
    readings,
  }
}
