import axios from 'axios'
import { createRateLimitedFetch } from 'lull/fetch'

const fetch = createRateLimitedFetch({ maxRetries: 10 })
const api = axios.create({ adapter: 'fetch', env: { fetch } })

export function getItems(
  url: string,
  ids: readonly number[],
): Promise<unknown[]> {
  const getItem = async (id: number): Promise<unknown> =>
    (await api.get<unknown>(`${url}/items/${id}`)).data
  return Promise.all(ids.map(getItem))
}
