import { expect, jest, test } from '@jest/globals'
import { createRateLimitedFetch } from 'lull/fetch'

test('this page has no fetch, no Request and no Response', () => {
  for (const name of ['fetch', 'Request', 'Response']) expect(globalThis[name]).toBe(undefined)
})

test('a call reaches the mock unchanged, with an absolute URL', async () => {
  const mock = jest.fn(async () => ({ status: 200 }))
  const fetch = createRateLimitedFetch({ fetch: mock })
  await fetch('/things?page=2', { method: 'PUT', headers: { accept: 'text/plain' }, body: 'text' })
  await fetch(new URL('/things', location.href))
  const [[url, { headers, ...init }], [plainUrl]] = mock.mock.calls
  expect([url, init]).toEqual(['http://localhost/things?page=2', { method: 'PUT', body: 'text' }])
  expect([...new Headers(headers)]).toEqual([['accept', 'text/plain']])
  expect(plainUrl).toBe('http://localhost/things')
})

test('functions in the options receive the request', async () => {
  const key = jest.fn(({ url, method }) => `${method} ${url}`)
  const shouldRetry = jest.fn(() => false)
  const fetch = createRateLimitedFetch({ fetch: async () => ({ status: 500 }), key, shouldRetry })
  expect(await fetch('/things')).toEqual({ status: 500 })
  expect(key).toHaveReturnedWith('GET http://localhost/things')
  expect(shouldRetry.mock.calls[0][0].request.url).toBe('http://localhost/things')
})
