// Fetches that do not use the platform's Request and Response.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRateLimitedFetch } from 'lull/fetch'
import nodeFetch, { FetchError } from 'node-fetch'
import * as undici from 'undici'

const fetches = { undici: undici.fetch, 'node-fetch': nodeFetch, 'the platform': undefined }

/** Retries at once: these tests check only the number of requests. */
const options = { backoff: () => 0, random: () => 0 }

let server
let url
/** What the server does with each request in turn; the last one repeats. */
let acts
let received

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { method, headers } = request
    received.push({ method, body, type: headers['content-type'], key: headers['idempotency-key'] })
    const act = acts.length > 1 ? acts.shift() : acts[0]
    act(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${server.address().port}/things`
})

beforeEach(() => {
  acts = [(response) => response.end('served')]
  received = []
})

afterAll(async () => {
  await undici.getGlobalDispatcher().close()
  server.closeAllConnections()
  server.close()
})

test.each(Object.entries(fetches))(
  '%s sends a POST with its headers and body, again after a 429',
  async (_, inner) => {
    acts.unshift((response) => response.writeHead(429, { 'retry-after': '0' }).end('refused'))
    const fetch = createRateLimitedFetch({ ...options, fetch: inner })
    const headers = { 'content-type': 'application/json', 'idempotency-key': '1' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ name: 'thing' }) })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('served')
    const sent = { method: 'POST', body: '{"name":"thing"}', type: 'application/json', key: '1' }
    expect(received).toEqual([sent, sent])
  },
)

test('undici accepts its own Request', async () => {
  const fetch = createRateLimitedFetch({ ...options, fetch: undici.fetch })
  const request = new undici.Request(url, {
    method: 'PUT',
    body: 'text',
    headers: { 'content-type': 'text/plain' },
  })
  expect(await (await fetch(request)).text()).toBe('served')
  expect(received).toEqual([{ method: 'PUT', body: 'text', type: 'text/plain', key: undefined }])
})

test.each(Object.entries(fetches))('a connection that breaks is retried with %s', async (name, inner) => {
  acts.unshift((response) => response.destroy())
  const errors = []
  const onEvent = (event) => event.type === 'error' && errors.push(event.error)
  const fetch = createRateLimitedFetch({ ...options, fetch: inner, onEvent })
  expect(await (await fetch(url)).text()).toBe('served')
  expect(received).toHaveLength(2)
  expect(errors).toHaveLength(1)
  if (name === 'node-fetch') expect(errors[0]).toBeInstanceOf(FetchError)
})

test.each(Object.entries(fetches))('an abort in flight rejects with %s', async (_, inner) => {
  const controller = new AbortController()
  acts = [() => controller.abort()]
  const fetch = createRateLimitedFetch({ ...options, fetch: inner })
  await expect(fetch(url, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
})
