import type { DebouncedAsync } from '../core/debounce/debounce-async.ts'
import type { Outcome } from '../core/debounce/debounce-async.ts'
import type { Commit } from './commit.ts'

/** How far the calls of a task have come, as a user interface shows it. */
export interface AsyncStatus<Data> {
  /** What the last run that succeeded answered. It stays while the next one is pending, and if that fails. */
  data: Data | undefined
  /** What the last run that ended failed with; undefined once one has succeeded. */
  error: unknown
  /** 'pending' as long as a call is due, queued or in flight; else how the last run ended, 'idle' before the first. */
  status: 'idle' | 'pending' | 'success' | 'error'
  /** There is data, but a newer call is pending, or the last run failed: it is not the answer to that one. */
  isStale: boolean
}

export interface AsyncState<Data> extends Pick<AsyncStatus<Data>, 'data' | 'error'> {
  ended: 'idle' | 'success' | 'error'
  hasData: boolean
  isPending: boolean
}

export const idle: AsyncState<never> = {
  data: undefined,
  error: undefined,
  ended: 'idle',
  hasData: false,
  isPending: false,
}

export function statusOf<Data>({
  data,
  error,
  ended,
  hasData,
  isPending,
}: AsyncState<Data>): AsyncStatus<Data> {
  return {
    data,
    error,
    status: isPending ? 'pending' : ended,
    isStale: hasData && (isPending || ended === 'error'),
  }
}

/** `debounced`, with every change of state given to `set`, and results by `commit`. */
export function trackCalls<Args extends unknown[], Data>(
  debounced: DebouncedAsync<Args, Data>,
  set: (update: (state: AsyncState<Data>) => AsyncState<Data>) => void,
  commit: Commit,
): (...args: Args) => Promise<Outcome<Data>> {
  function end(changes: Partial<AsyncState<Data>>): void {
    const isPending = debounced.isPending()
    commit(() => set((state) => ({ ...state, ...changes, isPending })))
  }

  function tell(): void {
    const isPending = debounced.isPending()
    set((state) => (state.isPending === isPending ? state : { ...state, isPending }))
  }

  return (...args) => {
    const wasPending = debounced.isPending()
    const outcome = debounced(...args)
    if (!wasPending) tell()
    outcome.then(
      (ended) => {
        if (ended.status === 'done')
          end({ data: ended.value, hasData: true, error: undefined, ended: 'success' })
        else if (!debounced.isPending()) tell()
      },
      (error: unknown) => end({ error, ended: 'error' }),
    )
    return outcome
  }
}
