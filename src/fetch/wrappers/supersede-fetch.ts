import { checkType } from '../../core/shared/check.ts'
import { abortError, onAbort, throwIfAborted } from '../../core/shared/abort.ts'
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
  /** Aborts the newest call of each key. */
  const newest = new Map<string, (reason: unknown) => void>()

  /**
   * Aborts the older call. Returns the signal of the new one, `forget`: call it when that has resolved, and `end`: call it when it can
   * no longer be aborted.
   */
  function enter(
    name: string,
    signal: AbortSignal | undefined,
    given: (reason: unknown) => void,
  ): { own: AbortSignal; forget: () => void; end: () => void } {
    let reject: typeof given | undefined = given
    const controller = new AbortController()
    const stopListening = signal && onAbort(signal, abort)
    const older = newest.get(name)
    newest.set(name, abort)
    older?.(Object.assign(abortError('Superseded by a newer call'), { cause: 'superseded' }))

    function abort(reason: unknown): void {
      // Before the abort: in React Native the signal has no reason.
      reject?.(reason)
      controller.abort(reason)
      end()
    }

    function end(): void {
      stopListening?.()
      if (newest.get(name) === abort) newest.delete(name)
    }

    // `reject` retains the response, and the signal's listener retains `reject`.
    const forget = (): void => (reject = undefined)

    return { own: controller.signal, forget, end }
  }

  return (input, init?: SentInit) =>
    new Promise((resolve, reject) => {
      const Requests = globalThis.Request as typeof Request | undefined
      // A request that has come through here already is sent by a rate-limited fetch below.
      if (!Requests || init?.sentBy) return resolve(fetch(input, init))
      const request = new Requests(input, init)
      const name = key(request)
      const [target, given] = argumentsFor(request, input, init)
      // The `Request` has the body. A form would get another boundary than in its header.
      const members = given && target === request ? { ...given, body: null } : given
      if (name === null) return resolve(fetch(target, members))
      const signal = signalOf(input, init)
      throwIfAborted(signal)

      const { own, forget, end } = enter(name, signal, reject)
      // With any option the platform resets the referrer.
      const { referrer, referrerPolicy } = request
      const sent = (async () => fetch(target, { referrer, referrerPolicy, ...members, signal: own }))()
      sent.then(
        (response) => {
          // A fetch that ignores its signal still resolves.
          if (own.aborted) return discard(response)
          resolve(response)
          forget()
          onceUnreadable(response, end)
        },
        (error: unknown) => {
          reject(error)
          end()
        },
      )
    })
}
