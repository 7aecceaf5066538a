import { checkFunction, checkOneOf } from '../shared/check.ts'
import type { DebounceChanges, DebounceOptions } from './debounce-types.ts'
import { debounce } from './debounce.ts'
import type { Pending } from './held.ts'
import { createListeners } from '../shared/listeners.ts'
import { runLatest } from './run-latest.ts'
import { runQueued } from '../queue/run-queued.ts'
import { createTaskCall, type Outcome, type TaskCall } from './task-call.ts'

export interface DebounceAsyncOptions extends Omit<DebounceOptions, 'onError'> {
  /**
   * What becomes of a run that is in flight when the next one is due. 'abort': its signal aborts and its call is
   * superseded, for a search. 'queue': the next one waits for its end, for saving; if several come to wait, the last
   * stays. @default 'abort'
   */
  overlap?: 'abort' | 'queue' | undefined
  /** Once it aborts, it is as after `cancel`, with its reason, and calls are ignored: they are cancelled. */
  signal?: AbortSignal | undefined
}

/** A task held back. Its methods are bound, so they may be taken off it. */
export interface DebouncedAsync<Args extends unknown[], Result> extends Pending {
  /**
   * Resolves with the outcome of this very call: superseded as soon as a newer call takes its place. Rejects with
   * what the task of its own run throws or rejects with, and for no other reason.
   */
  (...args: Args): Promise<Outcome<Result>>
  /**
   * Cancels every call that is not settled and aborts the run in flight; the next call is the first of a burst. With
   * 'queue' the next run still waits until that run has ended.
   */
  cancel: () => void
  /** Makes the pending run due now. Answers the promise of the newest call that is not settled, if there is one. */
  flush: () => Promise<Outcome<Result>> | undefined
  /** Whether there is a call that is not settled: its run is due, queued or in flight. */
  isPending: () => boolean
  /**
   * Changes the timing from now on. What is pending stays so, due `wait` (as it is then) after the last call.
   * @throws RangeError for a `wait` or `maxWait` that is negative or not a number; nothing is changed then.
   */
  configure: (changes: DebounceChanges) => void
  /**
   * Cancels the call whose run is not due yet; calls are then ignored, and so cancelled, until `configure` turns an edge
   * on. Resolves when the runs in flight have ended, aborted ones too, and with 'queue' the one that waits for them.
   */
  dispose: () => Promise<void>
  /** As `dispose`. */
  [Symbol.asyncDispose]: () => Promise<void>
  /** As `dispose`, without waiting. */
  [Symbol.dispose]: () => void
}

/**
 * Holds calls of an asynchronous task back as `debounce` does, and tells every caller what became of its call: no
 * promise is left pending, and none is that of another call. A result never arrives after that of a newer run.
 *
 * `task` receives a signal before the arguments: it aborts when nobody waits for the result any more. Whoever ignores
 * the promise of a call causes no unhandled rejection, unless the task of that call fails.
 *
 * @param wait in ms, from 0.
 * @throws TypeError if `task` is not a function; RangeError for another `overlap`, or a number out of range.
 * @see seed 001, "A pattern: shutdown with wait" and appendix D
 */
export function debounceAsync<Args extends unknown[], Result>(
  task: (signal: AbortSignal, ...args: Args) => Result | PromiseLike<Result>,
  wait: number,
  { overlap = 'abort', signal, ...options }: DebounceAsyncOptions = {},
): DebouncedAsync<Args, Result> {
  checkFunction('task', task)
  checkOneOf(['abort', 'queue'], 'overlap', overlap)
  let { leading = false, trailing = true } = options
  const { subscribe, notify } = createListeners()
  const unsettled = new Set<TaskCall<Result>>()
  const inFlight = new Set<Promise<void>>()
  const run = (overlap === 'abort' ? runLatest : runQueued)(begin)
  const debounced = debounce(runWaiting, wait, options)
  // The call that the next run is for.
  let waiting: TaskCall<Result> | undefined
  let wasPending = false

  function begin(call: TaskCall<Result>): Promise<void> {
    const end = call.start().then(() => void inFlight.delete(end))
    inFlight.add(end)
    return end
  }

  function runWaiting(): void {
    const call = waiting
    waiting = undefined
    if (call) void run(call)
  }

  function stopWaiting(status: 'superseded' | 'cancelled'): void {
    waiting?.stop(status)
  }

  function tell(): void {
    const isPending = unsettled.size > 0
    if (isPending === wasPending) return
    wasPending = isPending
    notify()
  }

  function onSettled(call: TaskCall<Result>): void {
    unsettled.delete(call)
    if (waiting === call) waiting = undefined
    if (unsettled.size === 0) signal?.removeEventListener('abort', abort)
    tell()
  }

  function cancel(reason?: unknown): void {
    debounced.cancel()
    for (const call of [...unsettled]) call.stop('cancelled', reason)
  }

  function abort(): void {
    cancel(signal?.reason)
  }

  async function dispose(): Promise<void> {
    debounced[Symbol.dispose]()
    leading = trailing = false
    stopWaiting('cancelled')
    while (inFlight.size > 0) await Promise.all(inFlight)
  }

  function debouncedAsync(...args: Args): Promise<Outcome<Result>> {
    if (signal?.aborted || !(leading || trailing)) return Promise.resolve({ status: 'cancelled' })
    const call = createTaskCall((aborted) => task(aborted, ...args), onSettled)
    unsettled.add(call)
    signal?.addEventListener('abort', abort)
    stopWaiting('superseded')
    waiting = call
    debounced()
    // With the leading edge alone the first call of the burst stands for all.
    if (!debounced.isPending()) stopWaiting('superseded')
    tell()
    return call.promise
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
