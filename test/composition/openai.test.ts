import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { tooMany, type Answer } from '../fetch/fixtures/fake-server.ts'
import { A, start, type Started } from '../fetch/fixtures/start.ts'

const json = (body: unknown): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const completion = json({ choices: [{ message: { role: 'assistant', content: 'hello' } }] })

/** The client calls `fetch.call(undefined, …)`, and leaves trying again to it. */
const clientOf = ({ f }: Started): OpenAI =>
  new OpenAI({ apiKey: 'key', baseURL: `${A}/v1`, fetch: f, maxRetries: 0 })

const ask = (client: OpenAI, signal?: AbortSignal) =>
  client.chat.completions.create(
    { model: 'any', messages: [{ role: 'user', content: 'hi' }] },
    signal ? { signal } : {},
  )

it('the openai client sends through it', async () => {
  const started = start({}, [completion])
  const { server, clock } = started
  const answer = ask(clientOf(started))
  await clock.advanceAsync(10)
  expect((await answer).choices[0]?.message.content).toBe('hello')
  expect(server.requests[0]).toMatchObject({
    url: `${A}/v1/chat/completions`,
    headers: { authorization: 'Bearer key' },
  })
})

it('a refused GET is sent again after the pause, and what came in the pause follows it', async () => {
  const list = json({ object: 'list', data: [{ id: 'one' }] })
  const started = start({}, [tooMany(2), list, completion])
  const { server, clock } = started
  const client = clientOf(started)
  const models = client.models.list()
  await clock.advanceAsync(10)
  const answer = ask(client)
  await clock.advanceAsync(10_000)
  expect((await models).data).toEqual([{ id: 'one' }])
  expect((await answer).choices[0]?.message.content).toBe('hello')
  expect(server.paths()).toEqual(['/v1/models', '/v1/models', '/v1/chat/completions'])
  expect(server.at()[1]).toBe(2010)
  expect(server.early).toEqual([])
})

it('a refused POST is sent again if the options say that it may be', async () => {
  const started = start({ retryNonIdempotent: true }, [tooMany(2), completion])
  const { server, clock } = started
  const answer = ask(clientOf(started))
  await clock.advanceAsync(2020)
  expect((await answer).choices[0]?.message.content).toBe('hello')
  expect(server.at()).toEqual([0, 2010])
  const [first, second] = await Promise.all(server.requests.map(({ body }) => body))
  expect(second).toEqual(first)
})

it('a refused POST is its RateLimitError otherwise', async () => {
  const started = start({}, [tooMany(2)])
  const { server, clock } = started
  const outcome = ask(clientOf(started)).catch((error: unknown) => error)
  await clock.advanceAsync(10)
  expect(await outcome).toBeInstanceOf(OpenAI.RateLimitError)
  expect(server.requests).toHaveLength(1)
})

it('its signal aborts what waits, and nothing is sent', async () => {
  const started = start()
  const { f, server, clock } = started
  f.pause()
  const controller = new AbortController()
  const outcome = ask(clientOf(started), controller.signal).catch((error: unknown) => error)
  await clock.advanceAsync(0)
  expect(f.snapshot(A)?.queued).toBe(1)
  controller.abort()
  await clock.advanceAsync(0)
  expect(await outcome).toBeInstanceOf(OpenAI.APIUserAbortError)
  expect(f.snapshot(A)?.queued).toBe(0)
  expect(server.calls).toBe(0)
})
