import { describe, expect, it } from 'vitest'
import { untilBodyRead } from 'lull/fetch'
import { isOver, openBody } from '../fixtures/open-body.ts'
import { A } from '../fixtures/start.ts'

// Runs in Node and in a browser.
const isPage = 'document' in globalThis

/** Reads the rest of a reader as text. Only a BYOB reader uses the buffer. */
async function textOf(reader: ReadableStreamDefaultReader | ReadableStreamBYOBReader): Promise<string> {
  let all = ''
  const read = () => (reader as ReadableStreamBYOBReader).read(new Uint8Array(8))
  for (let step = await read(); !step.done; step = await read()) all += new TextDecoder().decode(step.value)
  return all
}

async function join(chunks: unknown): Promise<string> {
  let all = ''
  for await (const chunk of chunks as AsyncIterable<Uint8Array | string>)
    all += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
  return all
}

const READINGS: Record<string, (response: Response) => Promise<unknown>> = {
  text: (response) => response.text(),
  'a clone': (response) => response.clone().text(),
  json: (response) => response.json(),
  arrayBuffer: async (response) => new TextDecoder().decode(await response.arrayBuffer()),
  bytes: async (response) => new TextDecoder().decode(await response.bytes()),
  blob: async (response) => (await response.blob()).text(),
  formData: async (response) => [...(await response.formData())],
  'a reader': ({ body }) => textOf(body!.getReader()),
  'a BYOB reader': ({ body }) => textOf(body!.getReader({ mode: 'byob' })),
  'two readers in turn': async ({ body }) => {
    const first = body!.getReader()
    const { value } = await first.read()
    first.releaseLock()
    return new TextDecoder().decode(value) + (await textOf(body!.getReader()))
  },
  pipeTo: async ({ body }) => {
    let all = ''
    const write = (chunk: Uint8Array): void => void (all += new TextDecoder().decode(chunk))
    await body!.pipeTo(new WritableStream({ write }))
    return all
  },
  pipeThrough: ({ body }) => join(body!.pipeThrough(new TextDecoderStream())),
  iteration: ({ body }) => join(body),
  values: ({ body }) => join(body!.values()),
  // Browsers bypass these methods here.
  ...(!isPage && { 'another Response': ({ body }: Response) => new Response(body, form).text() }),
}

const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }

/** The body in two parts, and what a reading of it returns. */
const partsFor = (name: string): [string, string, unknown] => {
  if (name === 'json') return ['{"a"', ':1}', { a: 1 }]
  if (name === 'formData') return ['a=', '1', [['a', '1']]]
  return ['one', ' two', 'one two']
}

describe('a body ends when read', () => {
  it.each(Object.entries(READINGS))(
    'by %s, and not before; or when it fails, with its error',
    async (name, read) => {
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
        // A browser has its own error.
        if (isBroken) await expect(reading).rejects.toSatisfy((thrown) => isPage || thrown === error)
        else expect(await reading).toEqual(all)
        expect(await isOver(over)).toBe(true)
      }
    },
  )

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

const CANCELS: Record<string, (body: ReadableStream<Uint8Array<ArrayBuffer>>) => Promise<unknown>> = {
  itself: (body) => body.cancel('why'),
  'itself, twice': (body) => Promise.all([body.cancel(), body.cancel()]),
  'its reader': (body) => body.getReader().cancel(),
  'its reader, which reads before and after': async (body) => {
    const reader = body.getReader()
    await reader.read()
    await reader.cancel('why')
    await reader.read()
  },
  'a pipe into a failing stream': (body) =>
    body.pipeTo(new WritableStream({ write: () => Promise.reject(new Error('why')) })).catch(() => undefined),
  'the other end of a pipe': (body) => body.pipeThrough(new TransformStream()).cancel('why'),
  'leaving an iteration': async (body) => {
    for await (const chunk of body) return chunk
    return undefined
  },
}

describe.each(Object.entries(CANCELS))('a body cancelled by %s', (_, cancel) => {
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

/** What does not end a body. */
const USES: Record<string, (response: Response) => unknown> = {
  'when a reader is released': ({ body }) => body!.getReader().releaseLock(),
  'when a reader is released while it reads': async ({ body }) => {
    const reader = body!.getReader()
    await reader.read()
    const late = reader.read()
    reader.releaseLock()
    await expect(late).rejects.toBeInstanceOf(TypeError)
    await expect(reader.read()).rejects.toBeInstanceOf(TypeError)
    await expect(reader.cancel()).rejects.toBeInstanceOf(TypeError)
  },
  'when a cancel fails because it is locked': async ({ body }) => {
    const reader = body!.getReader()
    await expect(body!.cancel()).rejects.toBeInstanceOf(TypeError)
    reader.releaseLock()
  },
  'when a reading fails because it is locked': async (response) => {
    const reader = response.body!.getReader()
    await expect(response.text()).rejects.toBeInstanceOf(TypeError)
    await expect(response.body!.pipeTo(new WritableStream())).rejects.toBeInstanceOf(TypeError)
    expect(() => response.body!.pipeThrough(new TransformStream())).toThrow(TypeError)
    expect(() => response.body!.tee()).toThrow(TypeError)
    expect(() => response.clone()).toThrow(TypeError)
    reader.releaseLock()
  },
  'when an iteration stops without a cancel': async ({ body }) => {
    for await (const chunk of body!.values({ preventCancel: true })) {
      expect(chunk).toHaveLength(3)
      break
    }
  },
  'when a pipe with preventCancel breaks': async ({ body }) => {
    const to = new WritableStream<Uint8Array>({ write: () => Promise.reject(new Error('broken')) })
    await body!.pipeTo(to, { preventCancel: true }).catch(() => undefined)
  },
  'when it is cloned': (response) => void response.clone(),
  'when nothing happens': () => undefined,
}

it.each(Object.entries(USES))('a body does not end %s', async (_, act) => {
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

it('the signal ends a body that nothing reads', async () => {
  const { response } = openBody()
  const controller = new AbortController()
  const over = untilBodyRead(response, controller.signal)
  expect(await isOver(over)).toBe(false)
  controller.abort()
  expect(await isOver(over)).toBe(true)
  expect(await isOver(untilBodyRead(new Response('x'), controller.signal))).toBe(true)
})
