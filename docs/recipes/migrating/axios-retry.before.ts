import axios from 'axios'
import axiosRetry, { exponentialDelay } from 'axios-retry'

const api = axios.create({ adapter: 'fetch' })
axiosRetry(api, { retries: 10, retryDelay: exponentialDelay })

export function getItems(
  url: string,
  ids: readonly number[],
): Promise<unknown[]> {
  const getItem = async (id: number): Promise<unknown> =>
    (await api.get<unknown>(`${url}/items/${id}`)).data
  return Promise.all(ids.map(getItem))
}
