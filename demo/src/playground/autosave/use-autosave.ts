import { type DebouncedAsyncState, pageHidden, pageHide, useDebouncedAsync } from 'lull'
import type { NoteResponse, NoteOrder } from '../../../server/api.ts'

/** Saves the last note after `wait` ms without an edit, and at once when the page is hidden or closed. */
export function useAutosave(url: string, wait: number): DebouncedAsyncState<[NoteOrder], NoteResponse> {
  return useDebouncedAsync(
    async (signal, note: NoteOrder) => {
      // With `keepalive` the browser finishes the request after the page is closed.
      const response = await fetch(url, {
        method: 'PUT',
        body: JSON.stringify(note),
        keepalive: true,
        signal,
      })
      if (!response.ok) throw new Error(`status ${response.status}`)
      return (await response.json()) as NoteResponse
    },
    wait,
    { onUnmount: 'flush', flushOn: [pageHidden, pageHide] },
  )
}
