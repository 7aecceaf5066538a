import fc from 'fast-check'
import { useBatch } from 'lull'
import { batchOptions, defineBatch, type BatchTrial, type Item, type Limits } from '../parts/batch.ts'
import type { BatchChanges } from 'lull/core'
import { around, createStage } from './stage.tsx'

export const batchesPart = defineBatch({
  name: 'useBatch',
  around,
  options: fc.record({
    ...batchOptions,
    isStrict: fc.boolean(),
    onUnmount: fc.constantFrom('cancel' as const, 'flush' as const),
  }),
  begin({ clock, claim }, send, { isKeyed, ...limits }, { isStrict, onUnmount }): BatchTrial {
    const stage = createStage(
      clock,
      isStrict,
      (limits: Limits, render) =>
        useBatch<Item, string>(
          (items) => {
            claim(render === stage.render, 'sent with the flush of another render', render, stage.render)
            return send(items)
          },
          { ...limits, onUnmount, key: isKeyed ? ({ key }) => key : undefined },
        ),
      limits,
    )
    const own = stage.result
    let props = limits

    return {
      add: (item) => own.add(item),
      cancel: () => own.cancel(),
      flush: () => own.flush(),
      isPending: () => own.isPending(),
      get size() {
        return own.size
      },
      subscribe: (listener) => own.subscribe(listener),
      configure({ wait = props.wait, maxWait = props.maxWait, maxSize = props.maxSize }: BatchChanges<Item>) {
        props = { wait, maxWait, maxSize }
        stage.show(props)
        claim(stage.result === own, 'is another object than before')
      },
      [Symbol.dispose]: stage.hide,
      unmount: stage.unmount,
    }
  },
})
