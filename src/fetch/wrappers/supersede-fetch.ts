import { checkType } from '../../core/shared/check.ts'
import { abortError, onAbort, untilAborted } from '../../core/shared/abort.ts'
import type { FetchFunction } from '../rate-limited-fetch.ts'
import { argumentsFor, discard, signalOf, type SentInit } from '../kernel/request.ts'
import { onceUnreadable } from './once-unreadable.ts'

export interface SupersedeFetchOptions {
  /** A call supersedes the previous one with the same key; null supersedes none. @default the same key for all calls */
  key?: ((request: Request) => string | null) | undefined
}

/**
 * Wraps `fetch` so that a new call aborts the previous one with the same key, whether it is queued, in flight or being read. The
 * older call rejects at once with an `AbortError` whose `cause` is 'superseded', so there is no race condition. Where the platform
 * has no `Request`, calls are passed on unchanged.
 *
 * @throws TypeError if `fetch` or `key` is not a function. If `key` throws, the call rejects with that error.
 */
export function supersedeFetch(
  fetch: FetchFunction,
  { key = () => '' }: SupersedeFetchOptions = {},
): FetchFunction {
  checkType('function', 'fetch', fetch)
  checkType('function', 'key', key)
  const newest = new Map<string, AbortController>()

  /** Aborts the older call. Returns the signal of the new one, and `end`: call it when that can no longer be aborted. */
  function enter(name: string, signal: AbortSignal | undefined): { own: AbortSignal; end: () => void } {
    const controller = new AbortController()
    const stopListening = signal && onAbort(signal, () => controller.abort(signal.reason))
    const older = newest.get(name)
    newest.set(name, controller)
    older?.abort(Object.assign(abortError('Superseded by a newer call'), { cause: 'superseded' }))
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
      const Requests = globalThis.Request as typeof Request | undefined
      // A request that has come through here already is sent by a rate-limited fetch below.
      if (!Requests || (init as SentInit | undefined)?.sentBy) return fetch(input, init)
      const request = new Requests(input, init)
      const name = key(request)
      const [target, members] = argumentsFor(request, input, init)
      if (name === null) return fetch(target, members)
      const signal = signalOf(input, init)
      signal?.throwIfAborted()

      const { own, end } = enter(name, signal)
      // With any option the platform resets the referrer.
      const { referrer, referrerPolicy } = request
      const sent = (async () => fetch(target, { referrer, referrerPolicy, ...members, signal: own }))()
      const settled = untilAborted(sent, own)
      settled.then(
        (response) => onceUnreadable(response, end),
        () => {
          end()
          // A fetch that ignores its signal still resolves.
          sent.then(discard, end)
        },
      )
      return settled
    } catch (error) {
      return Promise.reject(error)
    }
  }
}
