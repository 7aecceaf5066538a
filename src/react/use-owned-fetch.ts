import { abortError, eitherSignal } from '../core/shared/abort.ts'
import type { Clock } from '../core/time/clock.ts'
import type { RateLimitedFetchOptions } from '../fetch/create-rate-limited-fetch.ts'
import { inheritsMembers, signalOf } from '../fetch/kernel/request.ts'
import type { RateLimitedFetch } from '../fetch/rate-limited-fetch.ts'
import { useClock } from './clock-provider.tsx'
import { createFetchSlot, type FetchSlot } from './fetch-slot.ts'
import { useCommitEffect, useLifecycle, type Cancellable } from './use-lifecycle.ts'

/** A rate-limited fetch that works only while its component is shown. */
interface OwnedFetch extends Cancellable {
  readonly slot?: FetchSlot
  /** Applies `options`. Absent ones return to their defaults. */
  use: (options: RateLimitedFetchOptions) => void
}

const ignore = (): void => undefined
const NONE: OwnedFetch = { use: ignore, configure: ignore, cancel: ignore, flush: ignore }

function createOwnedFetch(options: RateLimitedFetchOptions, clock: Clock): OwnedFetch {
  let controller = new AbortController()
  let inner: RateLimitedFetch | undefined

  function own(made: RateLimitedFetch): RateLimitedFetch {
    inner = made
    // Asynchronous, so that a synchronous throw becomes a rejection.
    async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      // When the component is shown again, the layout effects of its children come first, and then `configure`.
      if (controller.signal.aborted) await Promise.resolve()
      const ownSignal = signalOf(input, init)
      const signal = ownSignal ? eitherSignal(ownSignal, controller.signal) : controller.signal
      if (inheritsMembers(init)) [input, init] = [new Request(input, init), undefined]
      const request = Object(input) as Request
      const { referrer, referrerPolicy } = request
      // With any option of its own the platform resets the referrer.
      const isKept = 'referrer' in request && !Object.keys(init ?? {}).some((name) => name in request)
      return made(input, { ...(isKept && { referrer, referrerPolicy }), ...init, signal })
    }
    function fetch(...given: Parameters<typeof send>): Promise<Response> {
      const response = send(...given)
      // Ignoring the promise causes no unhandled rejection.
      response.catch(() => undefined)
      return response
    }
    return Object.assign(fetch, { ...made })
  }

  return {
    slot: createFetchSlot((make) => own(make({ ...options, clock: options.clock ?? clock }))),
    use(next) {
      const { policies } = options
      // As many policies as before are taken as the same ones: the array may be made in each render, and their state must stay.
      if (next.policies?.length === policies?.length) next = { ...next, policies }
      const absent = Object.fromEntries(Object.keys(options).map((name) => [name, undefined]))
      inner?.configure({ ...absent, ...next })
      options = next
    },
    configure() {
      if (controller.signal.aborted) controller = new AbortController()
    },
    cancel() {
      controller.abort(abortError('The component was unmounted'))
      // Policies may hold listeners. `use` restores the policies.
      inner?.configure({ policies: [] })
    },
    flush: ignore,
  }
}

/** Returns the slot of the component's own fetch if its first render has `options`, else undefined. */
export function useOwnedFetch(options: RateLimitedFetchOptions | undefined): FetchSlot | undefined {
  const clock = useClock()
  const { slot, use } = useLifecycle(
    undefined,
    () => (options ? createOwnedFetch(options, clock) : NONE),
    {},
    {},
  )
  useCommitEffect(() => {
    if (options) use(options)
  })
  return slot
}
