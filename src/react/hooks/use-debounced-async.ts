import { useState } from 'react'
import {
  debounceAsync,
  type DebounceAsyncOptions,
  type DebouncedAsync,
  type Outcome,
} from '../../core/debounce/debounce-async.ts'
import { checkType } from '../../core/shared/check.ts'
import { adviseOnTiming } from '../../core/shared/develop.ts'
import { useLifecycle } from '../use-lifecycle.ts'
import { commitAtOnce, type Commit } from './use-debounce.ts'
import type { DebouncedCallbackOptions } from './use-debounced-callback.ts'

/** The state of the calls of a task. */
export interface AsyncStatus<Data> {
  /** The result of the last run that succeeded. It stays while a later run is pending, and if that run fails. */
  data: Data | undefined
  /** The error of the last run that ended; undefined if it succeeded. */
  error: unknown
  /** 'pending' while a call is due, queued or in flight; else how the last run ended, or 'idle' before the first. */
  status: 'idle' | 'pending' | 'success' | 'error'
  /** Whether there is data, but a newer call is pending or the last run failed. */
  isStale: boolean
}

export interface DebouncedAsyncOptions
  extends DebouncedCallbackOptions, Pick<DebounceAsyncOptions, 'overlap'> {
  /** A function that sets a result, such as React's `startTransition`. @default at once */
  commit?: Commit | undefined
}

export interface DebouncedAsyncState<Args extends readonly unknown[], Data> extends AsyncStatus<Data> {
  /**
   * Makes the task due in `wait` ms, and resolves with the outcome of this call. Rejects if the task fails for this call.
   * Ignoring the promise is safe; failures are in `error`.
   */
  run: (...args: Args) => Promise<Outcome<Data>>
  /** Makes the pending run due now. Returns the promise of the newest call that has not settled, if there is one. */
  flush: () => Promise<Outcome<Data>> | undefined
  /** Cancels every call that has not settled, and aborts the run in flight. `data` stays. */
  cancel: () => void
}

interface State<Data> extends Pick<AsyncStatus<Data>, 'data' | 'error'> {
  ended: 'idle' | 'success' | 'error'
  hasData: boolean
  isPending: boolean
}

const IDLE: State<never> = {
  data: undefined,
  error: undefined,
  ended: 'idle',
  hasData: false,
  isPending: false,
}

/** Wraps `run` and `cancel` of `debounced`: passes state changes to `set`, and results through `commit`. */
function trackCalls<Args extends readonly unknown[], Data>(
  debounced: DebouncedAsync<Args, Data>,
  set: (update: (state: State<Data>) => State<Data>) => void,
  commit: Commit,
): Pick<DebouncedAsyncState<Args, Data>, 'run' | 'cancel'> {
  let wasPending = false

  function show(changes?: Partial<State<Data>>): void {
    // Read here, because `commit` may call this later, as a view transition does.
    const isPending = debounced.isPending()
    if (changes || isPending !== wasPending) set((state) => ({ ...state, ...changes, isPending }))
    wasPending = isPending
  }

  const showEnd = (changes: Partial<State<Data>>): void => commit(() => show(changes))

  return {
    run(...args) {
      const outcome = debounced(...args)
      show()
      outcome.then(
        (ended) => {
          if (ended.status === 'done')
            showEnd({ data: ended.value, hasData: true, error: undefined, ended: 'success' })
        },
        (error: unknown) => showEnd({ error, ended: 'error' }),
      )
      return outcome
    },
    cancel() {
      debounced.cancel()
      show()
    },
  }
}

/**
 * Runs an asynchronous task once calls have stopped for `wait` ms, and returns its latest result: `debounceAsync` as a hook. A
 * newer run aborts the older (typeahead); with `overlap: 'queue'` it waits for the older (autosave). An older result never
 * replaces a newer one, so there is no race condition. The task of the last commit runs, with a signal before its arguments.
 *
 * When the component is unmounted or hidden, a pending call is cancelled and a run in flight aborted. With `onUnmount: 'flush'`
 * the pending call starts, and a run in flight continues. The functions are the same for the component's life. `overlap` is read
 * in the first render only.
 *
 * @param wait in ms, at least 0.
 * @param options see `DebouncedAsyncOptions`.
 * @throws as `debounceAsync` does.
 */
export function useDebouncedAsync<Args extends readonly unknown[], Data>(
  task: (signal: AbortSignal, ...args: Args) => Data | PromiseLike<Data>,
  wait: number,
  {
    leading = false,
    trailing = true,
    maxWait = Infinity,
    overlap,
    commit = commitAtOnce,
    ...options
  }: DebouncedAsyncOptions = {},
): DebouncedAsyncState<Args, Data> {
  checkType('function', 'task', task)
  const [{ data, error, ended, hasData, isPending }, setState] = useState<State<Data>>(IDLE)
  const timing = { wait, leading, trailing, maxWait }
  adviseOnTiming('useDebouncedAsync', wait, timing, { ...options, commit })
  const { run, flush, cancel } = useLifecycle(
    { task, commit },
    (latest, clock) => {
      const debounced = debounceAsync<Args, Data>((signal, ...args) => latest().task(signal, ...args), wait, {
        ...timing,
        overlap,
        clock,
      })
      return { ...debounced, ...trackCalls(debounced, setState, (set) => latest().commit(set)) }
    },
    timing,
    options,
  )
  return {
    data,
    error,
    status: isPending ? 'pending' : ended,
    isStale: hasData && (isPending || ended === 'error'),
    run,
    flush,
    cancel,
  }
}
