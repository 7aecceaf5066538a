import { safely } from './report.ts'

/** Listeners to one source of changes. */
export interface Listeners {
  /** Calls `listener` at each `notify`. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
  /** As `notifyAll`, and costs nothing without listeners. */
  notify: () => void
  readonly listeners: ReadonlySet<() => void>
}

/**
 * Calls `listeners` in the order of subscription, except those that subscribe or unsubscribe meanwhile. Their errors are
 * reported and stop no other listener. Allocates: where there are seldom listeners, check for them first.
 */
export function notifyAll(listeners: ReadonlySet<() => void>): void {
  for (const listener of [...listeners]) if (listeners.has(listener)) safely(listener)
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      // A new function, so that subscribing a listener twice makes two subscriptions.
      const own = (): void => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    notify: () => listeners.size && notifyAll(listeners),
    listeners,
  }
}

/** An object with an observable state: a limiter, a queue, a circuit breaker, a rate-limited fetch. */
export interface Observable<Snapshot> {
  /** Returns the state: the same object until it changes. */
  snapshot: () => Snapshot
  /** Calls `listener` when the snapshot has changed. Errors it throws are reported. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}

/** The snapshot is computed when it is read: a new frozen object if a member of what `read` returns has changed. */
export function createStore<Shape extends object>(
  read: () => Shape,
): Observable<Readonly<Shape>> & Listeners {
  let shown: Readonly<Shape> | undefined
  return {
    ...createListeners(),
    snapshot() {
      const next = read()
      return shown && isSame(shown, next) ? shown : (shown = Object.freeze(next))
    },
  }
}

/** Whether the members of `a` and `b` are the same; an absent member is undefined. */
export function isSame<Members extends object>(a: Members, b: Members): boolean {
  for (const members of [a, b]) for (const name in members) if (!Object.is(a[name], b[name])) return false
  return true
}
