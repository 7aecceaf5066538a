import { report } from './report.ts'

/** Functions that are called when something changes. */
export interface Listeners {
  /** Adds `listener`; the function returned removes it. */
  subscribe: (listener: () => void) => () => void
  notify: () => void
}

/**
 * Calls `listeners` in the order they came; not those that come meanwhile, nor those that go. What one throws is
 * reported and stops nobody.
 */
export function notifyAll(listeners: ReadonlySet<() => void>): void {
  for (const listener of [...listeners]) {
    try {
      if (listeners.has(listener)) listener()
    } catch (error) {
      report(error)
    }
  }
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify: () => notifyAll(listeners),
  }
}
