import { onAbort } from '../../core/shared/abort.ts'
import { onceUnreadable } from '../wrappers/once-unreadable.ts'

/** The readers of one body. The body is read when one of them has reached its end or failed, or when all have cancelled. */
interface Readers {
  /** The number of readers, including those that do not read yet. */
  count: number
  /** May be called more than once. */
  readonly end: () => void
}

const WHOLE = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const

/**
 * Resolves when the body of `response` has been read to its end, has failed, was cancelled or was garbage-collected; at once if there
 * is no body. Never rejects. For `holdSlot`.
 *
 * The response and its body get own methods that replace those of their prototypes. A reader that bypasses them, such as `cache.put`,
 * `event.respondWith` or another `Response` with the same body in a browser, goes unnoticed until the body is garbage-collected.
 *
 * @param signal the signal of the request. Its abort ends the body.
 */
export function untilBodyRead(response: Response, signal?: AbortSignal): Promise<void> {
  const { over, end } = createEnd(signal)
  if (response.bodyUsed || signal?.aborted) end()
  onceUnreadable(response, end)
  if (response.body) watchResponse(response, { count: 1, end })
  return over
}

/** A separate scope, so that a wait for the end does not retain the response. */
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
      // A locked body belongs to its reader.
      return isFree() ? read().finally(readers.end) : read()
    })
  replaceMethod(response, 'clone', (clone) => () => {
    // In Node `clone` calls `body.tee`, which must not count twice.
    if (isFree()) delete (response.body as Partial<ReadableStream>).tee
    const copy = clone()
    readers.count++
    watchStream(response.body!, readers)
    watchResponse(copy, readers)
    return copy
  })
}

/** Reports to `readers` how `stream` is read. Readers of the stream see no difference. */
function watchStream(stream: ReadableStream, readers: Readers): void {
  const { end } = readers
  let isCancelled = false

  function cancelled(): void {
    if (isCancelled) return
    isCancelled = true
    if (--readers.count === 0) end()
  }

  function closed(): void {
    if (!isCancelled) end()
  }

  function watchReader(reader: ReadableStreamDefaultReader | ReadableStreamBYOBReader): void {
    let isReleased = false
    reader.closed.then(closed, () => {
      if (!isReleased) end()
    })
    replaceMethod(reader, 'releaseLock', (release) => () => {
      release()
      isReleased = true
    })
    replaceMethod(reader, 'cancel', (cancel) => (reason) => {
      if (!isReleased) cancelled()
      return cancel(reason)
    })
  }

  type Values = ReadableStream['values']
  const iterate =
    (values: Values): Values =>
    (options) => {
      const iterator = values(options)
      replaceMethod(iterator, 'next', (next) => async () => {
        try {
          const step = await next()
          if (step.done) closed()
          return step
        } catch (error) {
          end()
          throw error
        }
      })
      replaceMethod(iterator, 'return', (stop) => (value) => {
        if (!options?.preventCancel) cancelled()
        return stop!(value)
      })
      return iterator
    }

  replaceMethod(
    stream,
    'getReader',
    (getReader) =>
      ((options: ReadableStreamGetReaderOptions) => {
        const reader = getReader(options)
        watchReader(reader)
        return reader
      }) as typeof getReader,
  )
  replaceMethod(stream, 'cancel', (cancel) => (reason) => {
    if (!stream.locked) cancelled()
    return cancel(reason)
  })
  replaceMethod(stream, 'tee', (tee) => () => {
    const branches = tee()
    readers.count++
    for (const branch of branches) watchStream(branch, readers)
    return branches
  })
  replaceMethod(stream, 'pipeTo', (pipeTo) => async (to, options) => {
    const wasLocked = stream.locked
    try {
      await pipeTo(to, options)
      closed()
    } catch (error) {
      if (!wasLocked && !options?.preventCancel) cancelled()
      throw error
    }
  })
  replaceMethod(stream, 'pipeThrough', (pipeThrough) => (through, options) => {
    // This throws.
    if (stream.locked || through.writable.locked) return pipeThrough(through, options)
    stream.pipeTo(through.writable, options).catch(() => undefined)
    return through.readable
  })
  replaceMethod(stream, 'values', iterate)
  replaceMethod(stream, Symbol.asyncIterator, iterate)
  // A stream of Node, as in node-fetch.
  ;(stream as { on?: (event: 'close', listener: () => void) => void }).on?.('close', end)
}

/** Replaces a method of `target` with the result of `by(method)`. Does nothing if `target` has no such method. */
function replaceMethod<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  by: (method: Target[Name]) => Target[Name],
): void {
  const method: unknown = target[name]
  if (typeof method !== 'function') return
  const value = by(method.bind(target) as Target[Name])
  Object.defineProperty(target, name, { value, configurable: true, writable: true })
}
