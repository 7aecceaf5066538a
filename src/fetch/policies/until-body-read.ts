import { onAbort } from '../../core/shared/abort.ts'
import { onceUnreadable } from '../wrappers/once-unreadable.ts'

/** Those who read one body. It is over when one of them has come to its end or failed, or when all have cancelled. */
interface Readers {
  /** How many there are, be they reading yet or not. */
  count: number
  /** May be called more than once. */
  readonly end: () => void
}

const WHOLE = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const

/**
 * Resolves when the body of `response` has been read to its end, was cancelled or has failed, or when nobody can read it any
 * more; at once if there is none. Never rejects. For `holdSlot`.
 *
 * The response stays what it is, but gets methods of its own in place of those of its prototype, and so does its body. What
 * reads past them is noticed only when the body has been collected: in a browser, another `Response` with the same body.
 *
 * @param signal the one that the response was requested with: its abort ends the body, whether it is read or not.
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

/** Reports to `readers` how `stream`, one of theirs, is read. Those who read it see no difference. */
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
    // There it throws.
    if (stream.locked || through.writable.locked) return pipeThrough(through, options)
    stream.pipeTo(through.writable, options).catch(() => undefined)
    return through.readable
  })
  replaceMethod(stream, 'values', iterate)
  replaceMethod(stream, Symbol.asyncIterator, iterate)
}

/** Gives `target` a method of its own: what `by` makes of the one that it has. Does nothing if it has none. */
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
