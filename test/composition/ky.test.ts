import ky from 'ky'
import { expect, it } from 'vitest'
import { tooMany } from '../fetch/fixtures/fake-server.ts'
import { A, start, watch } from '../fetch/fixtures/start.ts'

const json = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"done":true}' }

it('ky sends through it, and gets its responses with their URL', async () => {
  const { f, server, clock } = start({}, [json])
  const api = ky.create({ fetch: f, prefixUrl: A, retry: 0 })
  const answer = api.post('items', { json: { name: 'one' }, headers: { 'X-Own': '1' } }).json()
  await clock.advanceAsync(10)
  expect(await answer).toEqual({ done: true })
  const [request] = server.requests
  expect(request).toMatchObject({ method: 'POST', url: `${A}/items`, headers: { 'x-own': '1' } })
  expect(new TextDecoder().decode(await request!.body)).toBe('{"name":"one"}')
})

it('with its own retries off, a refused PUT is sent again after the pause, once', async () => {
  const { f, server, clock } = start({}, [tooMany(2), json])
  const answer = ky.put(`${A}/`, { fetch: f, retry: 0, json: { name: 'one' } }).json()
  await clock.advanceAsync(2020)
  expect(await answer).toEqual({ done: true })
  expect(server.at()).toEqual([0, 2010])
  const bodies = await Promise.all(server.requests.map(({ body }) => body))
  expect(bodies.map((body) => new TextDecoder().decode(body))).toEqual(Array(2).fill('{"name":"one"}'))
})

it('a failure costs three requests, and then is the error that ky makes of it', async () => {
  const { f, server, clock } = start({}, () => ({ status: 503, body: 'down' }))
  const outcome = ky.get(`${A}/`, { fetch: f, retry: 0 }).then(
    () => 'answered',
    (error: unknown) => error,
  )
  await clock.advanceAsync(1000)
  expect(await outcome).toMatchObject({ name: 'HTTPError', response: { status: 503 } })
  expect(server.requests).toHaveLength(3)
})

it('its signal aborts what waits, with its reason', async () => {
  const { f, server, clock } = start()
  f.pause()
  const controller = new AbortController()
  const call = watch(ky.get(`${A}/`, { fetch: f, retry: 0, signal: controller.signal }), clock)
  await clock.advanceAsync(0)
  expect(f.snapshot(A)?.queued).toBe(1)
  controller.abort(new Error('mine'))
  await clock.advanceAsync(0)
  expect(call.error).toBe(controller.signal.reason)
  expect(f.snapshot(A)?.queued).toBe(0)
  expect(server.calls).toBe(0)
})
