import {
  batch,
  type Batch,
  type BatchChanges,
  type BatchFlush,
  defaultWait,
} from '../../core/debounce/batch.ts'
import { checkType } from '../../core/shared/check.ts'
import { adviseOnOptions } from '../../core/shared/develop.ts'
import { useLifecycle, type LeavingOptions } from '../use-lifecycle.ts'

export interface UseBatchOptions<Item> extends BatchChanges<Item>, LeavingOptions {}

/**
 * Collects items and passes them to `flush` together: `batch` as a hook. Returns the same object for the component's life, which
 * uses the `flush` and the options of the last commit. Items added once the component is unmounted or hidden are cancelled.
 *
 * @param options see `UseBatchOptions`.
 * @throws as `batch` does.
 */
export function useBatch<Item, Result = undefined>(
  flush: BatchFlush<Item, Result>,
  {
    maxWait = Infinity,
    wait = defaultWait(maxWait),
    maxSize = Infinity,
    key,
    ...options
  }: UseBatchOptions<Item> = {},
): Batch<Item, Result> {
  adviseOnOptions('useBatch', { ...options, key })
  checkType('function', 'flush', flush)
  const limits: BatchChanges<Item> = { wait, maxWait, maxSize }
  const { batched } = useLifecycle(
    { flush, key },
    (latest, clock) => {
      // Without a key function, each item has a unique key.
      const keyOf = (item: Item): unknown => {
        const { key } = latest()
        return key ? key(item) : {}
      }
      const send = ((items) => latest().flush(items)) as BatchFlush<Item, Result>
      const batched = batch(send, { wait, maxWait, maxSize, key: keyOf, clock })
      const dispose = batched[Symbol.dispose]
      let isSuspended = false
      return {
        batched,
        configure(changes: BatchChanges<Item>) {
          isSuspended = !changes.maxSize
          batched.configure(changes)
        },
        // Rejects items added later instead of keeping them.
        cancel: dispose,
        flush() {
          void batched.flush()
          if (isSuspended) dispose()
        },
      }
    },
    limits,
    options,
  )
  return batched
}
