import fc from 'fast-check'
import { createRateLimitedFetch } from 'lull/fetch'
import { definePacedFetch, fetchOptions } from '../define-paced-fetch.ts'

export const pacedFetchPart = definePacedFetch({
  name: 'paced fetch',
  weight: 0.2,
  options: fc.record(fetchOptions),
  begin(_, options) {
    const fetch = createRateLimitedFetch(options)
    const { configure, dispose } = fetch
    return { fetch, configure, dispose }
  },
})
