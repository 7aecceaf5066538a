import { useState } from 'react'
import { checkFunction } from '../../core/shared/check.ts'
import {
  debounceAsync,
  type DebounceAsyncOptions,
  type DebouncedAsync,
} from '../../core/debounce/debounce-async.ts'
import type { Outcome } from '../../core/debounce/debounce-async.ts'
import { idle, statusOf, trackCalls, type AsyncState, type AsyncStatus } from '../async-state.ts'
import { useClock } from '../clock-provider.tsx'
import { commitAtOnce, type Commit } from '../commit.ts'
import { useCommitEffect } from './use-commit-effect.ts'
import type { DebouncedCallbackOptions } from './use-debounced-callback.ts'
import { useHeld } from './use-held.ts'
import { withTiming } from '../with-timing.ts'

export interface DebouncedAsyncOptions
  extends DebouncedCallbackOptions, Pick<DebounceAsyncOptions, 'overlap'> {
  /** How a result is set, for instance React's `startTransition`. @default at once */
  commit?: Commit | undefined
}

export interface DebouncedAsyncState<Args extends unknown[], Data> extends AsyncStatus<Data> {
  /**
   * Makes the task due, and resolves with the outcome of this very call. Rejects with what the task of its own run throws or
   * rejects with; who ignores the promise causes no unhandled rejection, for `error` says so.
   */
  run: (...args: Args) => Promise<Outcome<Data>>
  /** Makes the pending run due now. Answers the promise of the newest call that is not settled, if there is one. */
  flush: () => Promise<Outcome<Data>> | undefined
  /** Cancels every call that is not settled and aborts the run in flight. `data` stays. */
  cancel: () => void
}

/**
 * `debounceAsync` for a component, with its latest result: of a search as one types, or of saving with `overlap: 'queue'`.
 * The task of the last commit runs, and receives a signal before the arguments. A result never replaces that of a
 * newer run; the old one stays until the new one is there.
 *
 * When the component is unmounted or hidden, what is pending is cancelled and what is in flight aborted; with `onUnmount`
 * 'flush' it is made due and left to end. The functions are the same ones for the component's life.
 * `overlap` is that of the first render.
 *
 * @param wait in ms, from 0.
 * @throws as `debounceAsync` does.
 */
export function useDebouncedAsync<Args extends unknown[], Data>(
  task: (signal: AbortSignal, ...args: Args) => Data | PromiseLike<Data>,
  wait: number,
  {
    leading = false,
    trailing = true,
    maxWait = Infinity,
    overlap,
    holdWhile,
    onUnmount,
    flushOn,
    commit = commitAtOnce,
  }: DebouncedAsyncOptions = {},
): DebouncedAsyncState<Args, Data> {
  checkFunction('task', task)
  const clock = useClock()
  const [state, setState] = useState<AsyncState<Data>>(idle)
  const life = useHeld(
    { task, commit },
    (latest) => {
      const runLatest = (signal: AbortSignal, ...args: Args): Data | PromiseLike<Data> =>
        latest().task(signal, ...args)
      const timing = { leading, trailing, maxWait, overlap, clock }
      const debounced: DebouncedAsync<Args, Data> = debounceAsync(runLatest, wait, timing)
      const run = trackCalls(debounced, setState, (set) => latest().commit(set))
      return Object.assign(withTiming(debounced), { run })
    },
    { onUnmount, flushOn },
  )
  const { run, debounced } = life.held
  useCommitEffect(() => {
    const leave = life.enter()
    life.held.setTiming(wait, { leading, trailing, maxWait, holdWhile })
    return leave
  }, [life, wait, leading, trailing, maxWait, holdWhile])
  return { ...statusOf(state), run, flush: debounced.flush, cancel: debounced.cancel }
}
