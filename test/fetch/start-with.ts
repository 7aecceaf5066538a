import type { FetchEvent, RateLimitedFetch, RateLimitedFetchOptions } from 'lull/fetch'
import type { Answer } from './fake-server.ts'
import { start, type Started } from './start.ts'

/** A fetch that is disposed of, or whose first call is aborted, by a listener of the first event of `type`. */
export function startWith(
  type: FetchEvent['type'] | undefined,
  act: (f: RateLimitedFetch, abort: () => void) => void,
  answers: readonly Answer[] = [],
  options: RateLimitedFetchOptions = {},
): Started & { signal: AbortSignal; reason: Error; act: () => void } {
  const controller = new AbortController()
  const reason = new Error('mine')
  const events: FetchEvent[] = []
  let isFirst = true
  const once = (): void => {
    if (!isFirst) return
    isFirst = false
    act(started.f, () => controller.abort(reason))
  }
  const started = start(
    {
      onEvent(event) {
        events.push(event)
        if (event.type === type) once()
      },
      ...options,
    },
    answers,
  )
  return { ...started, events, signal: controller.signal, reason, act: once }
}
