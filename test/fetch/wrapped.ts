import type { FetchFunction, RateLimitedRequestInit } from 'lull/fetch'
import type { ManualClock } from 'lull/testing'
import { A, watch, type Outcome } from './start.ts'

/** A fetch that is wrapped around a paced one, or around another one that is on the clock. */
export interface Wrapped {
  f: FetchFunction
  clock: ManualClock
}

/** Makes a call to each path of `A`, and watches them. */
export function callEach(
  { f, clock }: Wrapped,
  paths: readonly string[],
  init?: RateLimitedRequestInit,
): Outcome[] {
  return paths.map((path) => watch(f(A + path, init), clock))
}

export interface Caller {
  outcome: Outcome
  reason: Error
  abort: () => void
}

/** Makes a call with a signal of its own, which aborts with a reason of its own. */
export function callAbortably({ f, clock }: Wrapped, path = '/'): Caller {
  const controller = new AbortController()
  const reason = new Error(`reason of ${path}`)
  const outcome = watch(f(A + path, { signal: controller.signal }), clock)
  return { outcome, reason, abort: () => controller.abort(reason) }
}

/** A fetch whose responses have a body that never ends, but for an abort. */
export function createStreamingFetch() {
  const signals: AbortSignal[] = []
  const cancelled: unknown[] = []
  const fetch: FetchFunction = (_, init) => {
    const signal = init!.signal!
    signals.push(signal)
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array([104, 105]))
        signal.addEventListener('abort', () => controller.error(signal.reason))
      },
      cancel: (reason) => void cancelled.push(reason),
    })
    return Promise.resolve(new Response(body))
  }
  return { fetch, signals, cancelled }
}

/** Collects what nobody holds, until `isDone`, or for so many turns that it never will be. */
export async function collect(isDone: () => boolean = () => false, turns = 20): Promise<void> {
  for (let turn = 0; turn < turns && !isDone(); turn++) {
    globalThis.gc!()
    await new Promise((resolve) => setImmediate(resolve))
  }
}
