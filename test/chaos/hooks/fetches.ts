import fc from 'fast-check'
import { useRateLimitedFetch } from 'lull'
import type { RateLimitedFetchOptions } from 'lull/fetch'
import { defineFetch, fetchOptions, type FetchTrial } from '../parts/fetch.ts'
import { around, createStage } from './stage.tsx'

export const fetchesPart = defineFetch({
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
      claim(stage.result === fetch, 'is another function than before')
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
