import { checkFunction } from '../core/check.ts'
import { onAbort } from '../core/on-abort.ts'
import { untilAborted } from '../core/until-aborted.ts'
import { discard } from './attempt.ts'
import type { FetchFunction } from './fetch-function.ts'
import { signalOf } from './signal-of.ts'
import { onceUnreadable } from './once-unreadable.ts'

export interface SupersedeFetchOptions {
  /** Which calls take each other's place; null: this one takes none. */
  key: (request: Request) => string | null
}

/**
 * Wraps `fetch` so that a new call aborts the one before it of the same key, be it queued, in flight or still being read.
 * That one rejects at once with an `AbortError` whose `cause` is 'superseded': it never resolves after the newer one.
 *
 * @throws TypeError for what is no function. What `key` throws, its call rejects with.
 * @see R118
 */
export function supersedeFetch(fetch: FetchFunction, { key }: SupersedeFetchOptions): FetchFunction {
  checkFunction('fetch', fetch)
  checkFunction('key', key)
  const newest = new Map<string, AbortController>()

  /** Aborts who came before. Answers what the new call is aborted with; `end` is for when that can be of no use any more. */
  function enter(name: string, signal: AbortSignal | undefined): { own: AbortSignal; end: () => void } {
    const controller = new AbortController()
    const stopListening = signal && onAbort(signal, () => controller.abort(signal.reason))
    const older = newest.get(name)
    newest.set(name, controller)
    older?.abort(
      Object.assign(new DOMException('A newer call took its place', 'AbortError'), { cause: 'superseded' }),
    )
    return {
      own: controller.signal,
      end() {
        stopListening?.()
        if (newest.get(name) === controller) newest.delete(name)
      },
    }
  }

  return (input, init) => {
    try {
      const request = new Request(input, init)
      const name = key(request)
      const members = init instanceof Request ? undefined : init
      // The request has the body, but does not tell whether it was given as a stream.
      const target = members?.body ? input : request
      if (name === null) return fetch(target, init)
      const signal = signalOf(input, init)
      signal?.throwIfAborted()

      const { own, end } = enter(name, signal)
      // What a request was made with is forgotten when something is changed.
      const { referrer, referrerPolicy } = request
      const sent = (async () => fetch(target, { referrer, referrerPolicy, ...members, signal: own }))()
      const answered = untilAborted(sent, own)
      answered.then(
        (response) => onceUnreadable(response, end),
        () => {
          end()
          // A fetch that has not heard of it answers all the same.
          sent.then(discard, () => undefined)
        },
      )
      return answered
    } catch (error) {
      return Promise.reject(error)
    }
  }
}
