import { checkType } from '../../core/shared/check.ts'
import { onAbort, throwIfAborted } from '../../core/shared/abort.ts'
import type { FetchFunction } from '../rate-limited-fetch.ts'
import type { CallOptions, Priority, RateLimitedRequestInit } from '../options.ts'
import { PRIORITIES, priorityOf } from '../policies/priorities.ts'
import { argumentsFor, discard, signalOf } from '../kernel/request.ts'
import { onceUnreadable } from './once-unreadable.ts'

export interface DedupeFetchOptions {
  /**
   * Returns the key of GET or HEAD requests that share a response, or null to share none. Requests with a different
   * `Authorization`, `Cookie` or `credentials` never share one. @default the URL, all headers, and everything else that the server
   * can see
   */
  dedupeKey?: ((request: Request) => string | null) | undefined
}

/**
 * Wraps `fetch` so that equal GET or HEAD requests share a response: a request that is made while an equal one is queued or in
 * flight gets a clone of its response. To a rate-limited fetch they are one call, with the highest of their priorities. This is not
 * a cache: a request after the response is sent. Each caller may abort; the shared request is aborted when all have.
 *
 * Requests with `cache: 'no-store'` or `'reload'` or with unknown members of `init` are not shared, nor are navigations and media
 * ranges in a service worker. Where the platform has no `Request`, none is.
 *
 * @throws TypeError if `fetch` or `dedupeKey` is not a function. If `dedupeKey` throws, the call rejects with that error.
 */
export function dedupeFetch(fetch: FetchFunction, { dedupeKey }: DedupeFetchOptions = {}): FetchFunction {
  checkType('function', 'fetch', fetch)
  if (dedupeKey) checkType('function', 'dedupeKey', dedupeKey)
  const shared = new Map<string, ReturnType<typeof createSharedFetch>>()

  function open(key: string) {
    const opened = createSharedFetch(() => {
      if (shared.get(key) === opened) shared.delete(key)
    })
    shared.set(key, opened)
    return opened
  }

  return (input, init) => {
    try {
      const Requests = globalThis.Request as typeof Request | undefined
      const method = init?.method ?? (Requests && input instanceof Requests ? input.method : 'GET')
      if (!Requests || !/^(GET|HEAD)$/i.test(method)) return fetch(input, init)
      const request = new Requests(input, init)
      const key = keyOf(request, init, dedupeKey)
      const [target, members] = argumentsFor(request, input, init)
      if (key === undefined) return fetch(target, members)
      const signal = signalOf(input, init)
      throwIfAborted(signal)

      const priority = priorityOf(init)
      const rateLimit = init?.rateLimit
      const options = rateLimit || {}
      return new Promise((resolve, reject) => {
        const running = shared.get(key)
        const one = running ?? open(key)
        one.join({ signal, resolve, reject })
        one.raise(priority)
        // With any option the platform resets the referrer.
        const { referrer, referrerPolicy } = request
        if (!running)
          one.start((own, added) =>
            fetch(target, {
              referrer,
              referrerPolicy,
              ...members,
              signal: own,
              rateLimit: rateLimit !== false && { ...options, ...added },
            }),
          )
        // Last: if it throws, others may have joined already.
        options.promotion?.(one.raise)
      })
    } catch (error) {
      return Promise.reject(error)
    }
  }
}

/** Members of `init` that a `Request` does not show and that do not change what is sent. */
const HARMLESS = /^(priority|rateLimit|window)$/

/** Returns the key of calls that can share a response, or undefined to share none. Credentials are always part of it. */
function keyOf(
  request: Request,
  init: RateLimitedRequestInit | undefined,
  own: DedupeFetchOptions['dedupeKey'],
): string | undefined {
  const { url, method, headers, credentials, mode, redirect, cache, integrity, keepalive } = request
  if (/no-store|reload/.test(cache)) return undefined
  // In a service worker the platform would change them beside a signal.
  if (mode === 'navigate' || (mode === 'no-cors' && headers.has('range'))) return undefined
  for (const name in init)
    if (init[name as keyof RequestInit] && !(name in request || HARMLESS.test(name))) return undefined
  const { referrer, referrerPolicy } = request
  const what = own
    ? [own(request), headers.get('authorization'), headers.get('cookie')]
    : [url, mode, redirect, cache, integrity, referrer, referrerPolicy, ...headers]
  if (what[0] === null) return undefined
  // Calls with other timeouts must not share one.
  const limits = init?.rateLimit === false || { ...init?.rateLimit, priority: undefined }
  return JSON.stringify([method, credentials, keepalive, limits, what])
}

/** A caller that waits for a response. */
interface Caller {
  readonly signal: AbortSignal | undefined
  readonly resolve: (response: Response) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Creates one fetch for several callers. It is aborted when all of them have aborted.
 *
 * @param close called when no caller may join any more, possibly twice.
 */
function createSharedFetch(close: () => void) {
  const controller = new AbortController()
  const waiting = new Map<Caller, (() => void) | undefined>()
  let callers = 0 // Without those that have aborted.
  let rank = Infinity
  let promote: ((priority: Priority) => void) | undefined

  function leave(reason: unknown): void {
    if (--callers > 0) return
    close()
    controller.abort(reason)
  }

  /** Lets an abort end the body while it is read, as with any fetch. Retains neither caller nor response. */
  const listenOn = (signal: AbortSignal): (() => void) => onAbort(signal, leave)

  function settle(outcome: (caller: Caller) => void): void {
    promote = undefined
    for (const [caller, stopListening] of waiting) {
      stopListening?.()
      outcome(caller)
    }
    waiting.clear()
  }

  function share(response: Response): void {
    close()
    if (waiting.size === 0) return discard(response)
    // Clones before anything is read, and each copy in turn: thousands of nested streams would overflow the stack.
    const copies = [response]
    while (copies.length < waiting.size) copies.push(copies[0]!.clone(), copies.shift()!)
    settle(({ signal, resolve }) => {
      const copy = copies.shift()!
      if (signal) onceUnreadable(copy, listenOn(signal))
      resolve(copy)
    })
  }

  /** Raises the priority of the fetch to this one if that is higher. */
  function raise(priority: Priority): void {
    const wanted = PRIORITIES.indexOf(priority)
    if (wanted >= 0) rank = Math.min(rank, wanted)
    promote?.(PRIORITIES[rank]!)
  }

  return {
    join(caller: Caller) {
      const { signal, reject } = caller
      callers++
      const stopListening =
        signal &&
        onAbort(signal, (reason) => {
          waiting.delete(caller)
          reject(reason)
          leave(reason)
        })
      waiting.set(caller, stopListening)
    },
    raise,
    /** Sends the request, after the first caller has joined. */
    start(send: (signal: AbortSignal, options: CallOptions) => Promise<Response>) {
      const options: CallOptions = {
        priority: PRIORITIES[rank],
        promotion(given) {
          promote = given
          given(PRIORITIES[rank]!)
        },
      }
      const sent = (async () => send(controller.signal, options))()
      sent.then(share).catch((error: unknown) => {
        close()
        settle(({ reject }) => reject(error))
      })
    },
  }
}
