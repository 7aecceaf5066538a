/** A task that a signal can stop. */
export type AbortableTask<Result, Signal = AbortSignal | undefined> = (
  signal: Signal,
) => Result | PromiseLike<Result>

/** Makes an AbortError, or one called `name`. React Native has no DOMException. */
export const abortError = (message: string, name = 'AbortError'): Error =>
  typeof DOMException === 'undefined'
    ? Object.assign(new Error(message), { name })
    : new DOMException(message, name)

/** Returns the reason of an aborted `signal`. In React Native signals have none. */
export const reasonOf = (signal: AbortSignal): unknown =>
  'reason' in signal ? signal.reason : abortError('Aborted')

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal)
}

const callbacksOf = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>()

/**
 * Calls `callback` with the reason when `signal` aborts. Returns a function that unsubscribes. A signal gets one listener for any
 * number of callbacks, and none when the last has gone: Node warns about a signal with many listeners.
 */
export function onAbort(signal: AbortSignal, callback: (reason: unknown) => void): () => void {
  const callbacks = callbacksOf.get(signal) ?? new Set()
  if (callbacks.size === 0) {
    callbacksOf.set(signal, callbacks)
    signal.addEventListener('abort', abort, { once: true })
  }
  callbacks.add(callback)
  return () => {
    if (callbacks.delete(callback) && callbacks.size === 0) signal.removeEventListener('abort', abort)
  }
}

/** Returns a signal that aborts with the first of the two. React Native has no `AbortSignal.any`. */
export function eitherSignal(...signals: [AbortSignal, AbortSignal]): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any(signals)
  const controller = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) controller.abort(reasonOf(signal))
    else onAbort(signal, (reason) => controller.abort(reason))
  }
  return controller.signal
}

function abort(this: AbortSignal): void {
  const callbacks = callbacksOf.get(this)!
  // In reverse order, so that no waiting call moves up in a queue that the same signal makes it leave.
  for (const callback of [...callbacks].reverse()) callback(reasonOf(this))
  callbacks.clear()
}

/** Settles as `promise` does, or rejects with `signal.reason` in the tick in which `signal` aborts. */
export function untilAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    // Whatever made the promise may have aborted the signal.
    if (signal.aborted) reject(reasonOf(signal))
    promise.then(resolve, reject).finally(onAbort(signal, reject))
  })
}
