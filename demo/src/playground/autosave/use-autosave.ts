import { type DebouncedAsyncState, pageHidden, pageHide, useDebouncedAsync } from 'lull'
import type { NoteAnswer, NoteOrder } from '../../../server/api.ts'

/** Saves the last note once the writer rests for `wait` ms; and what is not saved yet when the page is left. */
export function useAutosave(url: string, wait: number): DebouncedAsyncState<[NoteOrder], NoteAnswer> {
  return useDebouncedAsync(
    async (signal, note: NoteOrder) => {
      // The browser ends what is kept alive when the page is gone.
      const response = await fetch(url, {
        method: 'PUT',
        body: JSON.stringify(note),
        keepalive: true,
        signal,
      })
      if (!response.ok) throw new Error(`status ${response.status}`)
      return (await response.json()) as NoteAnswer
    },
    wait,
    { onUnmount: 'flush', flushOn: [pageHidden, pageHide] },
  )
}
