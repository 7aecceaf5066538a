import { setImmediate } from 'node:timers/promises'

/** The state of a promise. */
export interface Tracked<Value> {
  state: 'pending' | 'resolved' | 'rejected'
  value?: Value
  error?: unknown
}

/** Tracks the state of `promise`, and handles its rejection. */
export function track<Value>(promise: Promise<Value>): Tracked<Value> {
  const tracked: Tracked<Value> = { state: 'pending' }
  promise.then(
    (value) => Object.assign(tracked, { state: 'resolved', value }),
    (error: unknown) => Object.assign(tracked, { state: 'rejected', error }),
  )
  return tracked
}

/** Resolves after all pending promise continuations, and those they cause, have run. */
export async function settled(): Promise<void> {
  await setImmediate()
}

/** Returns the reasons of the unhandled rejections that `act` causes. */
export async function unhandledRejections(act: () => unknown): Promise<unknown[]> {
  const reasons: unknown[] = []
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (reason) => reasons.push(reason))
  try {
    await act()
    await settled()
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  }
  return reasons
}

/** A promise and how to settle it from outside. */
export interface Deferred<Value> {
  promise: Promise<Value>
  resolve: (value: Value | PromiseLike<Value>) => void
  reject: (error: unknown) => void
}

export function createDeferred<Value>(): Deferred<Value> {
  const deferred = {} as Deferred<Value>
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }))
  return deferred
}
