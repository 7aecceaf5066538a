import { createAlarm } from '../core/alarm.ts'
import type { BucketHost } from './bucket-host.ts'
import type { Call } from './bucket-types.ts'
import { isLastAttempt } from './retry.ts'

/**
 * Sends the call once more. Rejects if `send` throws. With a timeout, of the attempt or of the whole call, the request
 * gets a signal of its own, which the caller's is passed on to.
 */
export async function attempt(call: Call, { settings, send }: BucketHost): Promise<Response> {
  const { attemptTimeoutMs, totalTimeoutMs, clock } = settings
  call.signal?.throwIfAborted()
  const isLast = isLastAttempt(call, settings)
  if (attemptTimeoutMs === Infinity && (call.options.totalTimeoutMs ?? totalTimeoutMs) === Infinity)
    return send(...call.source.toArguments(isLast))

  const controller = new AbortController()
  const abort = (reason: unknown): void => controller.abort(reason)
  const alarm = createAlarm(clock, () => {
    abort((call.timeout = new DOMException(`No answer in ${attemptTimeoutMs} ms`, 'TimeoutError')))
  })
  call.abortAttempt = abort
  if (attemptTimeoutMs < Infinity) alarm.set(clock.now() + attemptTimeoutMs)
  try {
    return await send(...call.source.toArguments(isLast, eitherOf(call.signal, controller.signal)))
  } catch (error) {
    // What a fetch rejects with that we aborted is its own affair. R105: not so if the caller did.
    throw controller.signal.aborted && !call.signal?.aborted ? controller.signal.reason : error
  } finally {
    alarm.clear()
    call.abortAttempt = undefined
  }
}

/** Both of them, so that the caller's still reaches the body when the headers are there. R106 */
function eitherOf(signal: AbortSignal | undefined, own: AbortSignal): AbortSignal {
  const { any } = AbortSignal as Partial<typeof AbortSignal>
  // Where there is none, ours passes the caller's on until then.
  return signal && any ? any.call(AbortSignal, [signal, own]) : own
}

/** Lets go of a body that nobody will read, so that its connection is free. Not awaited. R85 */
export function discard({ body, bodyUsed }: Request | Response): void {
  // An error here is that of a body already broken, which nobody is waiting for.
  if (body && !bodyUsed) body.cancel().catch(() => undefined)
}
