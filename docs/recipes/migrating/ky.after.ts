import ky from 'ky'
import { createRateLimitedFetch } from 'lull/fetch'

// One for the page: in a module of its own.
const fetch = createRateLimitedFetch({
  maxRetries: 10,
  statuses: [429, 503],
  maxWaitMs: 60_000,
})

export function getItems(
  url: string,
  ids: readonly number[],
): Promise<unknown[]> {
  const api = ky.create({
    prefixUrl: url,
    fetch,
    retry: 0,
    timeout: false,
  })
  return Promise.all(ids.map((id) => api.get(`items/${id}`).json()))
}
