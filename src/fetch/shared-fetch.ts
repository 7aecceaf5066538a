import { onAbort } from '../core/on-abort.ts'
import { discard } from './attempt.ts'
import { PRIORITIES } from './call.ts'
import { onceUnreadable } from './once-unreadable.ts'
import type { CallOptions, Priority } from './options.ts'

/** One who waits for a response. */
interface Caller {
  readonly signal: AbortSignal | undefined
  readonly resolve: (response: Response) => void
  readonly reject: (reason: unknown) => void
}

/** One fetch that several callers wait for. It is aborted when all of them have aborted, and not by one. */
export interface SharedFetch {
  join: (caller: Caller) => void
  /** The fetch has the highest priority of its callers. */
  raise: (priority: Priority) => void
  /** Sends, once the first one has joined. */
  start: (send: (signal: AbortSignal, options: CallOptions) => Promise<Response>) => void
}

/** @param close called when nobody is to join any more; maybe twice. */
export function createSharedFetch(close: () => void): SharedFetch {
  const controller = new AbortController()
  const waiting = new Map<Caller, (() => void) | undefined>()
  let callers = 0 // Those that have not aborted.
  let rank = PRIORITIES.length - 1
  let promote: ((priority: Priority) => void) | undefined

  function leave(reason: unknown): void {
    if (--callers > 0) return
    close()
    controller.abort(reason)
  }

  /** While a body is being read an abort ends that, as it does with any fetch. Holds neither caller nor response. */
  const listenOn = (signal: AbortSignal): (() => void) => onAbort(signal, () => leave(signal.reason))

  function settle(outcome: (caller: Caller, index: number) => void): void {
    promote = undefined
    let index = 0
    for (const [caller, stopListening] of waiting) {
      stopListening?.()
      outcome(caller, index++)
    }
    waiting.clear()
  }

  function answer(response: Response): void {
    close()
    if (waiting.size === 0) return discard(response)
    const copies = Array.from(waiting, (_, index) => (index > 0 ? response.clone() : response))
    settle(({ signal, resolve }, index) => {
      const copy = copies[index]!
      if (signal && copy.body) onceUnreadable(copy, listenOn(signal))
      resolve(copy)
    })
  }

  function raise(priority: Priority): void {
    const wanted = PRIORITIES.indexOf(priority)
    if (wanted >= 0) rank = Math.min(rank, wanted)
    promote?.(PRIORITIES[rank]!)
  }

  return {
    join(caller) {
      const { signal, reject } = caller
      callers++
      const stopListening =
        signal &&
        onAbort(signal, () => {
          waiting.delete(caller)
          reject(signal.reason)
          leave(signal.reason)
        })
      waiting.set(caller, stopListening)
    },
    raise,
    start(send) {
      const options: CallOptions = {
        priority: PRIORITIES[rank],
        promotion(given) {
          promote = given
          given(PRIORITIES[rank]!)
        },
      }
      const sent = (async () => send(controller.signal, options))()
      sent.then(answer).catch((error: unknown) => {
        close()
        settle(({ reject }) => reject(error))
      })
    },
  }
}
