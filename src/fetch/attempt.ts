import { LONGEST_MS } from './bucket.ts'
import type { Call, Outcome } from './call.ts'
import { classifyError } from './classify.ts'
import type { KernelOptions } from './options.ts'
import { discard } from './request.ts'
import { isLastAttempt } from './retry.ts'

/**
 * Sends the call once. Resolves with what has become of it: at once when the call is given up or the attempt takes too long,
 * also if `send` ignores its signal. Only with a timeout does the request get a signal of its own.
 */
export function attempt(
  call: Call,
  options: KernelOptions,
  send: typeof fetch,
  classify: (response: Response) => Outcome,
): Promise<Outcome> {
  const { attemptTimeoutMs, clock } = options
  const isTimed = attemptTimeoutMs <= LONGEST_MS || call.totalTimeoutMs <= LONGEST_MS
  const controller = isTimed ? new AbortController() : undefined
  return new Promise((resolve) => {
    let isOver = false
    let stopTimer: (() => void) | undefined
    function end(outcome: Outcome): void {
      stopTimer?.()
      isOver = true
      resolve(outcome)
    }
    call.interrupt = (error) => {
      end({ kind: 'aborted', error })
      controller?.abort(error)
    }
    // A listener of events may have given it up.
    if (call.isOver) return call.interrupt(call.reason)
    if (attemptTimeoutMs <= LONGEST_MS)
      stopTimer = clock.after(attemptTimeoutMs, () => {
        const error = new DOMException(`No response within ${attemptTimeoutMs} ms`, 'TimeoutError')
        end({ kind: 'lost', error })
        controller!.abort(error)
      })
    const signal = controller && eitherOf(call.signal, controller.signal)
    // What the fetch throws is a rejection, and what it returns need be no promise.
    const sent = new Promise<Response>((came) =>
      came(send(...call.source.toArguments(isLastAttempt(call, options), signal))),
    )
    sent.then(
      (response) => {
        if (isOver) return discard(response)
        try {
          end(classify(response))
        } catch (error) {
          // A function of the user's threw, or what came is no response: that costs this call only.
          end({ kind: 'opaque', error })
        }
      },
      (error: unknown) => end(classifyError(error, call)),
    )
  })
}

/** Both of them, so that the caller's still reaches the body when the headers are there. */
function eitherOf(signal: AbortSignal | undefined, own: AbortSignal): AbortSignal {
  const { any } = AbortSignal as Partial<typeof AbortSignal>
  return signal && any ? any.call(AbortSignal, [signal, own]) : own
}
