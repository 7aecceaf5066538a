import ky from 'ky'

export function getItems(
  url: string,
  ids: readonly number[],
): Promise<unknown[]> {
  const api = ky.create({
    prefixUrl: url,
    retry: { limit: 10, statusCodes: [429, 503], maxRetryAfter: 60_000 },
  })
  return Promise.all(ids.map((id) => api.get(`items/${id}`).json()))
}
