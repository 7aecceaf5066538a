import { report } from './report.ts'

/** Functions that are called when something changes. */
export interface Listeners {
  /** Adds `listener`; the function returned removes it. */
  subscribe: (listener: () => void) => () => void
  notify: () => void
}

/**
 * Listeners are called in the order they came; not those that come meanwhile, nor those that go. What one throws is
 * reported and stops nobody.
 */
export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify() {
      for (const listener of [...listeners]) {
        try {
          if (listeners.has(listener)) listener()
        } catch (error) {
          report(error)
        }
      }
    },
  }
}
