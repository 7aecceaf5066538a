import { checkFunction } from '../core/check.ts'
import { priorityOf } from './call.ts'
import { dedupeKeyOf } from './dedupe-key.ts'
import type { FetchFunction } from './fetch-function.ts'
import { signalOf } from './signal-of.ts'
import { createSharedFetch, type SharedFetch } from './shared-fetch.ts'

export interface DedupeFetchOptions {
  /**
   * What GET or HEAD requests have in common that share a response; null: this one shares none. Whatever it says, they
   * share none across credentials. @default the URL, all headers, and all else that the server is told
   */
  dedupeKey?: ((request: Request) => string | null) | undefined
}

/**
 * Wraps `fetch` so that a GET or HEAD request that is made while the same is queued or in flight waits for that one, and
 * gets a clone of its response; with a paced fetch they are one call, of the highest priority among them. No cache: what
 * has been answered is fetched anew. Each caller may abort; the request is aborted when all have.
 *
 * Not shared are requests with `cache: 'no-store'` or `'reload'`, or with members of `init` that no `Request` has.
 *
 * @throws TypeError for what is no function. What `dedupeKey` throws, its call rejects with.
 * @see R113–R117
 */
export function dedupeFetch(fetch: FetchFunction, { dedupeKey }: DedupeFetchOptions = {}): FetchFunction {
  checkFunction('fetch', fetch)
  if (dedupeKey) checkFunction('dedupeKey', dedupeKey)
  const shared = new Map<string, SharedFetch>()

  function open(key: string): SharedFetch {
    const opened = createSharedFetch(() => {
      if (shared.get(key) === opened) shared.delete(key)
    })
    shared.set(key, opened)
    return opened
  }

  return (input, init) => {
    try {
      const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
      if (!/^(GET|HEAD)$/i.test(method)) return fetch(input, init)
      const request = new Request(input, init)
      const key = dedupeKeyOf(request, init, dedupeKey)
      if (key === undefined) return fetch(input, init)
      const signal = signalOf(input, init)
      signal?.throwIfAborted()

      const priority = priorityOf(init)
      const rateLimit = init?.rateLimit
      const options = rateLimit || {}
      return new Promise((resolve, reject) => {
        const running = shared.get(key)
        const one = running ?? open(key)
        one.join({ signal, resolve, reject })
        one.raise(priority)
        options.promotion?.(one.raise)
        if (running) return
        // What a request was made with is forgotten when something is changed.
        const { referrer, referrerPolicy } = request
        one.start((own, added) =>
          fetch(request, {
            referrer,
            referrerPolicy,
            signal: own,
            rateLimit: rateLimit !== false && { ...options, ...added },
          }),
        )
      })
    } catch (error) {
      return Promise.reject(error)
    }
  }
}
