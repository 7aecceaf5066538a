/** Who is told that something changed. */
export interface Listeners {
  /** Adds `listener`; the function returned removes it. */
  subscribe: (listener: () => void) => () => void
  notify: () => void
  /** Whether anybody listens: what is shown to listeners alone need not be kept for none. */
  readonly isHeard: boolean
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
      // Who makes thousands of decisions a second calls this at each: nothing is allocated for nobody.
      if (listeners.size === 0) return
      for (const listener of [...listeners]) if (listeners.has(listener)) listener()
    },
    get isHeard() {
      return listeners.size > 0
    },
  }
}
