import { abortError } from '../../core/shared/abort.ts'
import { RateLimitError } from '../../core/shared/errors.ts'
import { LONGEST_MS } from '../../core/time/clock.ts'
import { readRetryAfter } from '../headers/retry-after.ts'
import type { Reading } from '../policy.ts'
import type { Bucket, Host } from './bucket.ts'
import type { Call, ChargedOutcome, Outcome } from './call.ts'
import { discard, sources } from './request.ts'
import { isLastAttempt, isSentAgain, mayRetry } from './retry.ts'

/** Whether the call is to be sent now. */
const isSent = (call: Call): boolean => !call.isOver && call.phase === 'in-flight'

/**
 * Runs one call from its arrival until it settles: it queues, is sent, and is retried while that may help. A call that is given up
 * meanwhile rejects at once; its loop then never continues. Each call waits in its own loop, so that its requests and events keep the
 * asynchronous context of its caller.
 */
export async function runCall(call: Call, bucket: Bucket, host: Host): Promise<void> {
  let response: Response | undefined
  try {
    bucket.enter(call)
    for (;;) {
      while (!isSent(call)) {
        await new Promise<void>((resolve) => {
          call.proceed = resolve
          bucket.drain()
        })
        bucket.turn(call)
      }
      const outcome = await attempt(call, bucket, host)
      if (call.isOver) return
      const wait = bucket.ended(call, outcome)
      if (mayRetry(outcome, host.options) && (await isSentAgain(call, outcome, wait, bucket, host))) {
        discard(outcome.response)
        continue
      }
      call.resolve((response = settle(call, outcome, host)))
      return
    }
  } catch (error) {
    call.reject(error)
  } finally {
    bucket.left(call, response)
  }
}

/**
 * Sends the call once. Only with a timeout does the request get its own signal. An interruption ends the attempt even if the inner
 * fetch ignores the signal.
 */
async function attempt(call: Call, bucket: Bucket, host: Host): Promise<ChargedOutcome> {
  const { signal, source, totalTimeoutMs } = call
  const { options } = host
  const { attemptTimeoutMs, clock } = options
  const own = Math.min(attemptTimeoutMs, totalTimeoutMs) <= LONGEST_MS ? new AbortController() : undefined
  const stopTimer =
    attemptTimeoutMs <= LONGEST_MS &&
    clock.after(attemptTimeoutMs, () =>
      call.interrupt!(abortError(`No response within ${attemptTimeoutMs} ms`, 'TimeoutError')),
    )
  let kind: Outcome['kind'] = 'lost'
  try {
    // Both signals, so that the caller's can still abort the body.
    // A polyfill's signal cannot be combined with one of the platform.
    const either =
      own &&
      signal instanceof AbortSignal &&
      (AbortSignal as Partial<typeof AbortSignal>).any?.([signal, own.signal])
    if (either) sources.set(either, signal)
    const send = (): Promise<Response> =>
      host.send(...source.toArguments(isLastAttempt(call, options), either || own?.signal))
    const response = await (own
      ? new Promise<Response>((resolve, reject) => {
          call.interrupt = (error) => {
            // Before the abort: in React Native the signal has no reason.
            reject(error)
            own.abort(error)
          }
          Promise.resolve(send()).then((late) => (own.signal.aborted ? discard(late) : resolve(late)), reject)
        })
      : send())
    call.unread = response
    if (call.isOver) return { kind: 'aborted' }
    // From here on an error is one of a callback, or the inner fetch returned no response: only this call rejects.
    kind = 'opaque'
    return classify(call, response, bucket, host)
  } catch (error) {
    // An abort says nothing about the server.
    return { kind: (error as Error | undefined)?.name === 'AbortError' ? 'aborted' : kind, error }
  } finally {
    if (stopTimer) stopTimer()
  }
}

/** Determines what a response means for its bucket and its call. */
function classify(
  call: Call,
  response: Response,
  bucket: Bucket,
  { options, redirected }: Host,
): ChargedOutcome {
  const { status, type } = response
  // An opaque response has no status.
  if (!status) return { kind: 'opaque', response }
  const { clock, isThrottled, onEvent, statuses } = options
  const charged = redirected(response, call) ?? bucket
  // A mocked response may have no headers.
  const headers = (response.headers as Partial<Headers> | undefined)?.get && response.headers
  const wallMs = clock.wall()
  const isOther = status !== 429 && isThrottled?.(response)
  // A success needs it for the event only.
  const isRead = status >= 400 || isOther || onEvent || statuses.includes(status)
  const own: Reading = headers && isRead ? readRetryAfter(headers, wallMs) : {}
  // A 304 has the fields of the cached response.
  const readings = [own, ...(headers && status !== 304 ? charged.ask('read', response, wallMs) : [])]
  const { waitMs, source = own.source }: Reading =
    readings.find((reading) => reading?.waitMs !== undefined) ?? own
  const isRefused = isOther || status === 429 || (status === 503 && waitMs !== undefined)
  // A page can read only exposed headers of another origin.
  const isHidden = isRefused && type === 'cors' && !readings.some((reading) => reading?.source)
  return {
    kind: isRefused ? 'throttled' : status >= 500 ? 'failed' : 'passed',
    response,
    waitMs,
    source: source ?? (isHidden ? 'none' : 'backoff'),
    readings,
    charged,
  }
}

/** Returns what the call resolves with, or throws what it rejects with. */
function settle(call: Call, outcome: ChargedOutcome, { options, time }: Host): Response {
  const { kind, response, error, source, charged } = outcome
  if (!response) throw error
  call.unread = undefined
  if (kind === 'throttled' && options.throwOnThrottle) {
    const { attempts } = call
    const { gate, key } = charged!
    const message = `Status ${response.status} in attempt ${attempts}`
    throw Object.assign(new RateLimitError('throttled', message, Math.max(gate.opensAt - time.now(), 0)), {
      response,
      source,
      attempts,
      bucket: key,
    })
  }
  return response
}
