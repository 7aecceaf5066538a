/** Who is told that something changed. */
export interface Listeners {
  /** Adds `listener`; the function returned removes it. */
  subscribe: (listener: () => void) => () => void
  notify: () => void
}

/**
 * Listeners are called in the order they came; not those that come meanwhile, nor those that go. One that throws keeps
 * the rest from hearing: it must not.
 */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify() {
      for (const listener of [...listeners]) if (listeners.has(listener)) listener()
    },
  }
}
