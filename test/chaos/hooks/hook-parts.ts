import fc from 'fast-check'
import { useBatch, useRateLimitedFetch } from 'lull'
import { batchOptions, defineBatch, type BatchTrial, type Item, type Limits } from '../parts/batch.ts'
import type { BatchChanges } from 'lull/core'
import { around, createStage } from './stage.tsx'
import type { RateLimitedFetchOptions } from 'lull/fetch'
import { defineFetch, fetchOptions, type FetchTrial } from '../parts/fetch.ts'
import type { ChaosPart } from '../part.ts'
import { debouncedAsyncPart } from './async.ts'
import { callbacks } from './callbacks.ts'
import { values } from './values.ts'

const batchesPart = defineBatch({
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
        claim(stage.result === own, 'returned another object than before')
      },
      [Symbol.dispose]: stage.hide,
      unmount: stage.unmount,
    }
  },
})

const fetchesPart = defineFetch({
  name: 'useRateLimitedFetch',
  weight: 0.3,
  around,
  options: fc.record({ ...fetchOptions, isStrict: fc.boolean() }),
  begin({ clock, claim }, options, { isStrict }): FetchTrial {
    let props: RateLimitedFetchOptions = options

    const stage = createStage(
      clock,
      isStrict,
      (props: RateLimitedFetchOptions, render) =>
        useRateLimitedFetch({
          ...props,
          fetch(...args) {
            claim(render === stage.render, 'sent with the fetch of another render', render, stage.render)
            return options.fetch(...args)
          },
        }),
      props,
    )
    const fetch = stage.result

    function show(): void {
      stage.show(props)
      claim(stage.result === fetch, 'returned another function than before')
    }

    return {
      fetch,
      configure(changes) {
        props = { ...props, ...changes }
        show()
      },
      dispose: stage.unmount,
      hide: stage.hide,
      show,
    }
  },
})

/** All hooks that delay something, each in a component that mounts and unmounts. They need a document. */
export const hookParts: readonly ChaosPart[] = [
  ...callbacks,
  ...values,
  batchesPart,
  debouncedAsyncPart,
  fetchesPart,
]
