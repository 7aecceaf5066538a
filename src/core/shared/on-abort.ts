const heard = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `callback` when `signal` aborts; the function returned prevents it. However many wait for it, a signal gets one
 * listener, and keeps none when the last has gone: a thousand listeners are a thousand warnings in Node.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let callbacks = heard.get(signal)
  if (!callbacks) {
    heard.set(signal, (callbacks = new Set()))
    signal.addEventListener('abort', abort, { once: true })
  }
  callbacks.add(callback)
  const all = callbacks
  return () => {
    all.delete(callback)
    if (all.size > 0 || heard.get(signal) !== all) return
    heard.delete(signal)
    signal.removeEventListener('abort', abort)
  }
}

function abort(this: AbortSignal): void {
  const callbacks = heard.get(this)!
  heard.delete(this)
  // The last first: nobody is to move up in a line that it is about to leave as well.
  for (const callback of [...callbacks].reverse()) callback()
}
