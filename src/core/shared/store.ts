import { safely } from './report.ts'

/** Listeners to one thing that changes. */
export interface Listeners {
  /** Calls `listener` at each `notify`; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
  /** Costs nothing while nobody listens. What a listener throws is reported and stops no other. */
  notify: () => void
  readonly listeners: ReadonlySet<() => void>
}

/**
 * Calls `listeners` in the order of subscription, without those that subscribe or unsubscribe meanwhile. What one throws is
 * reported and stops no other. Allocates nothing while there are none.
 */
export function notifyAll(listeners: ReadonlySet<() => void>): void {
  if (listeners.size) for (const listener of [...listeners]) if (listeners.has(listener)) safely(listener)
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      // A function of its own, so that subscribing a listener twice makes two subscriptions.
      const own = (): void => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    notify: () => notifyAll(listeners),
    listeners,
  }
}

/** A state to watch, with its listeners. */
export interface Store<Shape> extends Listeners {
  /** The same frozen object while nothing changed. */
  snapshot: () => Readonly<Shape>
}

/** Listeners, and a snapshot that is made when it is read: a new one when a member that `read` returns has changed. */
export function createStore<Shape extends object>(read: () => Shape): Store<Shape> {
  let shown: Readonly<Shape> | undefined
  return {
    ...createListeners(),
    snapshot() {
      const next = read()
      return shown && isSame(shown, next) ? shown : (shown = Object.freeze(next))
    },
  }
}

/** Whether the members of `a` and `b` are the same; an absent one is undefined. */
export function isSame<Members extends object>(a: Members, b: Members): boolean {
  for (const members of [a, b]) for (const name in members) if (!Object.is(a[name], b[name])) return false
  return true
}
