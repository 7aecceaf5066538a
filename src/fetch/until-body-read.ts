import { onAbort } from '../core/on-abort.ts'
import { onceUnreadable } from './once-unreadable.ts'
import { replaceMethod, watchStream, type Readers } from './watch-stream.ts'

const WHOLE = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const

/**
 * Resolves when the body of `response` has been read to its end, was cancelled or has failed, or when nobody can read it any
 * more; at once if there is none. Never rejects. For the option `holdSlot`.
 *
 * The response stays what it is, but gets methods of its own in place of those of its prototype, and so does its body. What
 * reads past them is noticed only when the body has been collected: in a browser, another `Response` with the same body.
 *
 * @param signal the one that the response was asked for with: its abort ends the body, whether it is being read or not.
 * @see R71
 */
export function untilBodyRead(response: Response, signal?: AbortSignal): Promise<void> {
  const { over, end } = createEnd(signal)
  if (response.bodyUsed || signal?.aborted) end()
  onceUnreadable(response, end)
  if (response.body) watchResponse(response, { count: 1, end })
  return over
}

/** Apart from the response, which would be held by what waits until nobody holds it. */
function createEnd(signal: AbortSignal | undefined): { over: Promise<void>; end: () => void } {
  let resolve!: () => void
  const over = new Promise<void>((resolved) => (resolve = resolved))
  const stopListening = signal && onAbort(signal, resolve)
  const end = (): void => {
    stopListening?.()
    resolve()
  }
  return { over, end }
}

function watchResponse(response: Response, readers: Readers): void {
  const isFree = (): boolean => !response.bodyUsed && !response.body!.locked
  watchStream(response.body!, readers)
  const whole = response as unknown as Record<(typeof WHOLE)[number], () => Promise<unknown>>
  for (const name of WHOLE)
    replaceMethod(whole, name, (read) => () => {
      // What is locked stays with the one who has locked it.
      return isFree() ? read().finally(readers.end) : read()
    })
  replaceMethod(response, 'clone', (clone) => () => {
    // In Node it calls the method of the body, which is not to count once more.
    if (isFree()) delete (response.body as Partial<ReadableStream>).tee
    const copy = clone()
    readers.count++
    watchStream(response.body!, readers)
    watchResponse(copy, readers)
    return copy
  })
}
