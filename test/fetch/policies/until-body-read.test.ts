import { getEventListeners } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { untilBodyRead } from 'lull/fetch'
import { form, isOver, join, openBody, partsFor, READINGS, type Reading } from '../fixtures/body-readings.ts'
import { A } from '../fixtures/start.ts'
import { collect } from '../../core/shared/garbage.ts'

const ALL: Reading[] = [
  ...READINGS,
  // Browsers bypass these methods when reading.
  ['another Response', ({ body, headers }) => new Response(body, { headers }).text()],
  ['a stream of Node', ({ body }) => join(Readable.fromWeb(body as never))],
]

describe('a body ends when read', () => {
  it.each(ALL)('by %s, and not before; or when it fails, with its error', async (name, read) => {
    for (const isBroken of [false, true]) {
      const { response, send, close, fail } = openBody(form)
      const [one, two, all] = partsFor(name)
      const over = untilBodyRead(response)
      send(one)
      expect(await isOver(over)).toBe(false)
      const reading = read(response)
      reading.catch(() => undefined)
      send(two)
      expect(await isOver(over)).toBe(false)
      const error = new Error('broken')
      if (isBroken) fail(error)
      else close()
      if (isBroken) await expect(reading).rejects.toBe(error)
      else expect(await reading).toEqual(all)
      expect(await isOver(over)).toBe(true)
    }
  })

  it.each<[string, Response]>([
    ['204', new Response(null, { status: 204 })],
    ['200 to a HEAD', new Response(null)],
    ['an error', Response.error()],
    ['a redirect', Response.redirect(A)],
  ])('at once without a body: %s', async (_, response) => {
    let is = false
    void untilBodyRead(response).then(() => (is = true))
    await Promise.resolve()
    expect(is).toBe(true)
  })

  it('already before, at once', async () => {
    const response = new Response('x')
    await response.text()
    expect(await isOver(untilBodyRead(response))).toBe(true)
  })
})

describe.each<[string, (body: ReadableStream<Uint8Array<ArrayBuffer>>) => Promise<unknown>]>([
  ['itself', (body) => body.cancel('why')],
  ['itself, twice', (body) => Promise.all([body.cancel(), body.cancel()])],
  ['its reader', (body) => body.getReader().cancel()],
  [
    'its reader, which reads before and after',
    async (body) => {
      const reader = body.getReader()
      await reader.read()
      await reader.cancel('why')
      await reader.read()
    },
  ],
  [
    'a pipe into a failing stream',
    (body) =>
      body
        .pipeTo(new WritableStream({ write: () => Promise.reject(new Error('why')) }))
        .catch(() => undefined),
  ],
  ['the other end of a pipe', (body) => body.pipeThrough(new TransformStream()).cancel('why')],
  [
    'leaving an iteration',
    async (body) => {
      for await (const chunk of body) return chunk
      return undefined
    },
  ],
])('a body cancelled by %s', (_, cancel) => {
  it('ends then', async () => {
    const { response, send, cancelled } = openBody()
    const over = untilBodyRead(response)
    send('one')
    expect(await isOver(over)).toBe(false)
    await cancel(response.body!)
    expect(await isOver(over)).toBe(true)
    expect(cancelled).toHaveBeenCalledOnce()
  })

  it('ends when cloned into four, and all are cancelled so', async () => {
    const { response, send, cancelled } = openBody()
    const over = untilBodyRead(response)
    send('one')
    const copy = response.clone()
    const [one, other] = copy.clone().body!.tee()
    const all: Promise<unknown>[] = []
    for (const part of [one, copy.body!, other, response.body!]) {
      expect(await isOver(over)).toBe(false)
      all.push(cancel(part))
    }
    await Promise.all(all)
    expect(await isOver(over)).toBe(true)
    expect(cancelled).toHaveBeenCalledOnce()
  })
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
  ['when a reader is released', ({ body }) => body!.getReader().releaseLock()],
  [
    'when a reader is released while it reads',
    async ({ body }) => {
      const reader = body!.getReader()
      await reader.read()
      const late = reader.read()
      reader.releaseLock()
      await expect(late).rejects.toBeInstanceOf(TypeError)
      await expect(reader.read()).rejects.toBeInstanceOf(TypeError)
      await expect(reader.cancel()).rejects.toBeInstanceOf(TypeError)
    },
  ],
  [
    'when a cancel fails because it is locked',
    async ({ body }) => {
      const reader = body!.getReader()
      await expect(body!.cancel()).rejects.toBeInstanceOf(TypeError)
      reader.releaseLock()
    },
  ],
  [
    'when a reading fails because it is locked',
    async (response) => {
      const reader = response.body!.getReader()
      await expect(response.text()).rejects.toBeInstanceOf(TypeError)
      await expect(response.body!.pipeTo(new WritableStream())).rejects.toBeInstanceOf(TypeError)
      expect(() => response.body!.pipeThrough(new TransformStream())).toThrow(TypeError)
      expect(() => response.body!.tee()).toThrow(TypeError)
      expect(() => response.clone()).toThrow(TypeError)
      reader.releaseLock()
    },
  ],
  [
    'when an iteration stops without a cancel',
    async ({ body }) => {
      for await (const chunk of body!.values({ preventCancel: true })) {
        expect(chunk).toHaveLength(3)
        break
      }
    },
  ],
  [
    'when a pipe with preventCancel breaks',
    async ({ body }) => {
      const to = new WritableStream<Uint8Array>({ write: () => Promise.reject(new Error('broken')) })
      await body!.pipeTo(to, { preventCancel: true }).catch(() => undefined)
    },
  ],
  ['when it is cloned', (response) => void response.clone()],
  ['when nothing happens', () => undefined],
])('a body does not end %s', async (_, act) => {
  const { response, send, close } = openBody()
  const over = untilBodyRead(response)
  send('one')
  await act(response)
  expect(await isOver(over)).toBe(false)
  // It can still be read.
  close()
  const reader = response.body!.getReader()
  while (!(await reader.read()).done);
  expect(await isOver(over)).toBe(true)
})

it('works where streams cannot be iterated', async () => {
  const { response, send, close } = openBody()
  Object.defineProperty(response.body!, 'values', { value: undefined, configurable: true })
  const over = untilBodyRead(response)
  expect(Object.keys(response.body!)).toEqual([])
  send('x')
  close()
  await response.text()
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

describe('the signal', () => {
  it('ends a body that nothing reads', async () => {
    const { response } = openBody()
    const controller = new AbortController()
    const over = untilBodyRead(response, controller.signal)
    expect(await isOver(over)).toBe(false)
    controller.abort()
    expect(await isOver(over)).toBe(true)
    expect(await isOver(untilBodyRead(new Response('x'), controller.signal))).toBe(true)
  })

  it('has no listener after the end of the body, or without one', async () => {
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
})
