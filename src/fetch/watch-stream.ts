/** Those who read one body. It is over when one of them has come to its end or failed, or when all have cancelled. */
export interface Readers {
  /** How many there are, be they reading yet or not. */
  count: number
  /** May be called more than once. */
  readonly end: () => void
}

/** Tells the `readers` what becomes of `stream`, one of theirs. Those who read it see no difference. */
export function watchStream(stream: ReadableStream, readers: Readers): void {
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
export function replaceMethod<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  by: (method: Target[Name]) => Target[Name],
): void {
  const method: unknown = target[name]
  if (typeof method !== 'function') return
  const value = by(method.bind(target) as Target[Name])
  Object.defineProperty(target, name, { value, configurable: true, writable: true })
}
