import fc from 'fast-check'
import { batch } from 'lull/core'
import { batchOptions, defineBatch, type Item } from '../define-batch.ts'

export const batchPart = defineBatch({
  name: 'batch',
  options: fc.record(batchOptions),
  begin: ({ clock }, send, { isKeyed, ...limits }) =>
    batch(send, { ...limits, clock, ...(isKeyed && { key: ({ key }: Item) => key }) }),
})
