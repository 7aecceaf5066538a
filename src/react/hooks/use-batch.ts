import { checkFunction } from '../../core/shared/check.ts'
import { batch, defaultWait, type Batch, type BatchChanges } from '../../core/debounce/batch.ts'
import type { BatchFlush } from '../../core/debounce/batch.ts'
import { useClock } from '../clock-provider.tsx'
import { useCommitEffect } from './use-commit-effect.ts'
import type { LeavingOptions } from '../create-life.ts'
import { useHeld } from './use-held.ts'

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
    wait = defaultWait(maxWait),
    maxSize = Infinity,
    key,
    onUnmount,
    flushOn,
  }: UseBatchOptions<Item> = {},
): Batch<Item, Result> {
  checkFunction('flush', flush)
  const clock = useClock()
  const life = useHeld(
    { flush, key },
    (latest) => {
      // Without a key each item is its own.
      const keyOf = (item: Item): unknown => {
        const { key } = latest()
        return key ? key(item) : {}
      }
      const send = ((items) => latest().flush(items)) as BatchFlush<Item, Result>
      const batched = batch(send, { wait, maxWait, maxSize, key: keyOf, clock })
      const { cancel, flush } = batched
      let last = { wait, maxWait, maxSize }
      const resume = (): void => batched.configure(last)
      return {
        batched,
        configure(next: typeof last) {
          last = next
          resume()
        },
        resume,
        suspend: () => batched.configure({ wait: Infinity, maxWait: Infinity, maxSize: Infinity }),
        cancel,
        flush,
        [Symbol.dispose]: batched[Symbol.dispose],
      }
    },
    { onUnmount, flushOn },
  )
  useCommitEffect(() => {
    const leave = life.enter()
    life.held.configure({ wait, maxWait, maxSize })
    return leave
  }, [life, wait, maxWait, maxSize])
  return life.held.batched
}
