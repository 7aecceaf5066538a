import { useEffect, useState } from 'react'
import { abortError, eitherSignal } from '../core/shared/abort.ts'
import type { Clock } from '../core/time/clock.ts'
import type { RateLimitedFetchOptions } from '../fetch/create-rate-limited-fetch.ts'
import { hasPrototype } from '../fetch/kernel/request.ts'
import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import { useClock } from './clock-provider.tsx'
import { createFetchSlot, type FetchSlot } from './fetch-slot.ts'
import { useCommitEffect } from './use-lifecycle.ts'

/** A rate-limited fetch that lives as long as a component is shown. */
interface OwnedFetch {
  readonly slot: FetchSlot
  /** Applies `options`; an absent one has its default. */
  use: (options: RateLimitedFetchOptions) => void
  /** Aborts all calls with an `AbortError`, and rejects later ones, until `start`. */
  stop: () => void
  start: () => void
}

function createOwnedFetch(options: RateLimitedFetchOptions, clock: Clock): OwnedFetch {
  let life = new AbortController()
  let isShown = true
  let inner: RateLimitedFetch | undefined

  function own(made: RateLimitedFetch): RateLimitedFetch {
    inner = made
    function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const ownSignal =
        init?.signal === undefined && typeof input === 'object' && 'signal' in input
          ? input.signal
          : init?.signal
      const signal = ownSignal ? eitherSignal(ownSignal, life.signal) : life.signal
      return hasPrototype(init)
        ? made(new Request(input, init), { signal })
        : made(input, { ...init, signal })
    }
    function fetch(...given: Parameters<typeof send>): Promise<Response> {
      // What the platform throws is a rejection.
      const response = new Promise<Response>((resolve) => resolve(send(...given)))
      // A component that ignores the promise causes no unhandled rejection.
      response.catch(() => undefined)
      return response
    }
    return Object.assign(fetch, { ...made })
  }

  return {
    slot: createFetchSlot(() => ({ ...options, clock: options.clock ?? clock }), own),
    use(next) {
      // What is absent now goes back to its default.
      const absent = Object.fromEntries(Object.keys(options).map((name) => [name, undefined]))
      inner?.configure({ ...absent, ...next })
      options = next
    },
    stop() {
      isShown = false
      // StrictMode and Fast Refresh take every effect back and make it again in the same task.
      void Promise.resolve().then(() => {
        if (!isShown) life.abort(abortError('The component was unmounted'))
      })
    },
    start() {
      isShown = true
      if (life.signal.aborted) life = new AbortController()
    },
  }
}

/** The slot of the component's own fetch, made at the first render that has `options`; undefined without any. */
export function useOwnedFetch(options: RateLimitedFetchOptions | undefined): FetchSlot | undefined {
  const clock = useClock()
  const [owned] = useState(() => options && createOwnedFetch(options, clock))

  useCommitEffect(() => {
    if (options) owned?.use(options)
  })

  useCommitEffect(() => owned?.start(), [owned])
  // Not where it starts: a layout effect ends, too, while a Suspense boundary shows its fallback.
  useEffect(() => {
    owned?.start()
    return owned?.stop
  }, [owned])

  return owned?.slot
}
