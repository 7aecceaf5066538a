import { getEventListeners } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { untilBodyRead } from 'lull/fetch'
import { isOver, openBody } from '../fixtures/open-body.ts'
import { collect } from '../../core/shared/garbage.ts'

it('a body ends when read by a stream of Node, and not before', async () => {
  const { response, send, close } = openBody()
  const over = untilBodyRead(response)
  send('one')
  const reading = text(Readable.fromWeb(response.body as never))
  expect(await isOver(over)).toBe(false)
  close()
  expect(await reading).toBe('one')
  expect(await isOver(over)).toBe(true)
})

it.each<[string, (body: PassThrough) => unknown]>([
  ['when it is read by a pipe', (body) => body.end().pipe(new PassThrough()).resume()],
  ['when it is read by events', (body) => body.end().on('data', () => undefined)],
  ['when it is destroyed', (body) => body.destroy()],
  ['when it fails', (body) => body.on('error', () => undefined).destroy(new Error('broken'))],
])('a body that is a stream of Node, as in node-fetch, ends %s', async (_, read) => {
  const body = new PassThrough()
  body.write('one')
  const over = untilBodyRead({ body, bodyUsed: false } as unknown as Response)
  expect(await isOver(over)).toBe(false)
  read(body)
  expect(await isOver(over)).toBe(true)
})

it.each<[string, (response: Response) => unknown]>([
  ['was never used', () => undefined],
  ['lost its reader', ({ body }) => body!.getReader().read()],
  ['was cloned', (response) => void response.clone()],
])('an unreachable body is over: it %s', async (_, use) => {
  let over!: Promise<void>
  await (async () => {
    const { response, send } = openBody()
    over = untilBodyRead(response)
    send('one')
    await use(response)
  })()
  let is = false
  void over.then(() => (is = true))
  await collect(() => is, 50)
  expect(is).toBe(true)
})

it('the signal has no listener after the end of the body, or without one', async () => {
  const { signal } = new AbortController()
  await untilBodyRead(new Response(null), signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  const response = new Response('x')
  const over = untilBodyRead(response, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await response.text()
  await over
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
