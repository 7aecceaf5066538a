import { useState } from 'react'
import { batch, type Batch, type BatchChanges } from '../core/batch.ts'
import type { BatchFlush } from '../core/settle-batch.ts'
import { useClock } from './clock-provider.tsx'
import { useCommitEffect } from './use-commit-effect.ts'
import { useLatest } from './use-latest.ts'
import { useLeaving, type LeavingOptions } from './use-leaving.ts'

export interface UseBatchOptions<Item> extends BatchChanges<Item>, LeavingOptions {}

/**
 * `batch` for a component: the same object for the component's life, which sends with the `flush` of the last commit, by the
 * options of the last commit. Inline ones are fine. Once the component is unmounted or hidden, what is added is cancelled.
 *
 * @throws as `batch` does.
 */
export function useBatch<Item, Result = undefined>(
  flush: BatchFlush<Item, Result>,
  {
    maxWait = Infinity,
    wait = maxWait < Infinity ? Infinity : 0,
    maxSize = Infinity,
    key,
    onUnmount,
    flushOn,
  }: UseBatchOptions<Item> = {},
): Batch<Item, Result> {
  const clock = useClock()
  const latest = useLatest({ flush, key })
  const [batched] = useState(() => {
    // Without a key each item is its own.
    const keyOf = (item: Item): unknown => {
      const { key } = latest.get()
      return key ? key(item) : {}
    }
    const send = ((items) => latest.get().flush(items)) as BatchFlush<Item, Result>
    return batch(send, { wait, maxWait, maxSize, key: keyOf, clock })
  })
  useCommitEffect(() => batched.configure({ wait, maxWait, maxSize }), [batched, wait, maxWait, maxSize])
  useLeaving(batched, { onUnmount, flushOn })
  return batched
}
