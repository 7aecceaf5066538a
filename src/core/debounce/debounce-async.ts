import { checkType } from '../shared/check.ts'
import { adviseOnChoices, adviseOnTiming } from '../shared/develop.ts'
import { createListeners } from '../shared/store.ts'
import { createDebounced, type DebounceChanges, type DebounceOptions, type Pending } from './debounce.ts'

/** The outcome of a call. */
export type Outcome<Result> =
  | { status: 'done'; value: Result }
  /** A newer call replaced it, before or during its run. With only the leading edge, the first call of the burst did. */
  | { status: 'superseded' }
  /** By `cancel`, `dispose` or `signal`; or the call came after `dispose` or the abort. */
  | { status: 'cancelled' }

export interface DebounceAsyncOptions extends Omit<DebounceOptions, 'onError'> {
  /**
   * What happens to a run in flight when the next one is due. 'abort' (for a search) aborts its signal and supersedes its call.
   * 'queue' (for saving) lets the next run wait until it has ended; only the last of several waiting runs stays. @default 'abort'
   */
  overlap?: 'abort' | 'queue' | undefined
  /** When it aborts, all calls are cancelled, and so are later ones. Runs in flight are aborted with its reason. */
  signal?: AbortSignal | undefined
}

/** A debounced task. Its methods are bound: they work without the object. */
export interface DebouncedAsync<Args extends readonly unknown[], Result> extends Pending {
  /**
   * Resolves with the outcome of this call, which is superseded as soon as a newer call replaces it. Rejects only if the task of its
   * own run throws or rejects, with the same error.
   */
  (...args: Args): Promise<Outcome<Result>>
  /**
   * Cancels every call that is not settled and aborts the run in flight. The next call is the first of a burst. With
   * 'queue' the next run still waits until the aborted run has ended.
   */
  cancel: () => void
  /** Makes the pending run due now. Returns the promise of the newest unsettled call, if there is one. */
  flush: () => Promise<Outcome<Result>> | undefined
  /** Whether a call is unsettled: its run is due, queued or in flight. */
  isPending: () => boolean
  /**
   * Changes the timing. A pending call stays pending; it is due when the new `wait` has passed since the last call.
   * @throws as `debounce` does for an invalid `wait` or `maxWait`, and then changes nothing.
   */
  configure: (changes: DebounceChanges) => void
  /**
   * Cancels a call whose run is not due yet, and all later calls until `configure` turns an edge on. Resolves when the runs in
   * flight have ended, including aborted ones, and with 'queue' the run that waits for them.
   */
  dispose: () => Promise<void>
  /** As `dispose`. */
  [Symbol.asyncDispose]: () => Promise<void>
  /** As `dispose`, without waiting. */
  [Symbol.dispose]: () => void
}

/** A call until it is settled. */
interface Call<Args extends readonly unknown[], Result> {
  args: Args
  resolve: (outcome: Outcome<Result>) => void
  reject: (error: unknown) => void
  promise: Promise<Outcome<Result>>
  /** Set when its run has begun. */
  controller?: AbortController
}

/**
 * Debounces an async task and returns a promise for each call. Every promise settles, none with the result of another call. A
 * result never arrives after that of a newer run.
 *
 * `task` receives a signal before its arguments, which aborts when the result is no longer needed. An ignored promise causes an
 * unhandled rejection only if the task of that call fails.
 *
 * @param wait in ms, at least 0.
 * @throws TypeError if `task` is not a function; RangeError, in development, for any other `overlap`; else as `debounce` does.
 */
export function debounceAsync<Args extends readonly unknown[], Result>(
  task: (signal: AbortSignal, ...args: Args) => Result | PromiseLike<Result>,
  wait: number,
  { overlap = 'abort', signal, clock, ...options }: DebounceAsyncOptions = {},
): DebouncedAsync<Args, Result> {
  type OwnCall = Call<Args, Result>
  adviseOnTiming('debounceAsync', wait, options)
  checkType('function', 'task', task)
  adviseOnChoices({ overlap: [overlap, 'abort', 'queue'] })
  let { leading = false, trailing = true } = options
  const { subscribe, notify } = createListeners()
  const unsettled = new Set<OwnCall>()
  const inFlight = new Set<Promise<void>>()
  const debounced = createDebounced(runDue, wait, options, clock)
  // The call of the next run.
  let due: OwnCall | undefined
  // With 'abort' the call whose run began last; with 'queue' the call that waits for the run in flight.
  let newest: OwnCall | undefined
  let running = 0
  let wasPending = false

  function debouncedAsync(...args: Args): Promise<Outcome<Result>> {
    if (signal?.aborted || !(leading || trailing)) return Promise.resolve({ status: 'cancelled' })
    const call = { args } as OwnCall
    call.promise = new Promise((...settlers) => ([call.resolve, call.reject] = settlers))
    unsettled.add(call)
    signal?.addEventListener('abort', abort)
    stop(due, 'superseded')
    due = call
    debounced()
    // With only the leading edge, the first call of the burst supersedes the others.
    if (!debounced.isPending()) stop(due, 'superseded')
    notifyOfChange()
    return call.promise
  }

  function runDue(): void {
    const call = due!
    due = undefined
    const older = newest
    // Before the abort: one of its listeners may start a newer run, which then aborts this one.
    newest = call
    stop(older, 'superseded')
    if (overlap === 'abort' || running === 0) begin(call)
  }

  function begin(call: OwnCall): void {
    if (overlap === 'queue') newest = undefined
    if (!unsettled.has(call)) return
    // Before the task begins, because it may call again at once.
    running++
    const end = runTask(call).then(() => {
      running--
      inFlight.delete(end)
      if (overlap === 'queue' && newest) begin(newest)
    })
    inFlight.add(end)
  }

  /** Resolves when the task has ended, whether it succeeded or not. The result of a stopped call is dropped. */
  async function runTask(call: OwnCall): Promise<void> {
    const { signal } = (call.controller = new AbortController())
    try {
      const value = await task(signal, ...call.args)
      call.resolve({ status: 'done', value })
    } catch (error) {
      call.reject(error)
    }
    settle(call)
  }

  function stop(call: OwnCall | undefined, status: 'superseded' | 'cancelled', reason?: unknown): void {
    if (!call || !unsettled.has(call)) return
    call.resolve({ status })
    settle(call)
    call.controller?.abort(reason)
  }

  function settle(call: OwnCall): void {
    unsettled.delete(call)
    if (due === call) due = undefined
    if (newest === call) newest = undefined
    if (unsettled.size === 0) signal?.removeEventListener('abort', abort)
    notifyOfChange()
  }

  function notifyOfChange(): void {
    const isPending = unsettled.size > 0
    if (isPending === wasPending) return
    wasPending = isPending
    notify()
  }

  function cancel(reason?: unknown): void {
    debounced.cancel()
    for (const call of [...unsettled]) stop(call, 'cancelled', reason)
  }

  function abort(): void {
    cancel(signal?.reason)
  }

  async function dispose(): Promise<void> {
    debounced[Symbol.dispose]()
    leading = trailing = false
    stop(due, 'cancelled')
    while (running > 0) await Promise.all(inFlight)
  }

  return Object.assign(debouncedAsync, {
    cancel: () => cancel(),
    flush() {
      if (!signal?.aborted) debounced.flush()
      return [...unsettled].at(-1)?.promise
    },
    isPending: () => unsettled.size > 0,
    configure(changes: DebounceChanges) {
      debounced.configure(changes)
      ;({ leading = leading, trailing = trailing } = changes)
    },
    subscribe,
    dispose,
    [Symbol.asyncDispose]: dispose,
    [Symbol.dispose]: () => void dispose(),
  })
}
