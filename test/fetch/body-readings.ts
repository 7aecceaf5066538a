import { vi } from 'vitest'
import { turn } from './start-real.ts'

/** A response with a body of bytes that the test sends, ends or breaks. */
export function openBody(init?: ResponseInit) {
  let controller!: ReadableByteStreamController
  const cancelled = vi.fn<(reason: unknown) => void>()
  const body = new ReadableStream({
    type: 'bytes',
    start(given) {
      controller = given
    },
    cancel: cancelled,
  })
  return {
    response: new Response(body, init),
    cancelled,
    send: (chunk: string) => controller.enqueue(new TextEncoder().encode(chunk)),
    close: () => {
      controller.close()
      // What reads into a buffer of its own wants it back.
      controller.byobRequest?.respond(0)
    },
    fail: (error: unknown) => controller.error(error),
  }
}

/** Whether the body is known to be over, some turns later. */
export async function isOver(over: Promise<void>): Promise<boolean> {
  let is = false
  void over.then(() => (is = true))
  await turn()
  await turn()
  return is
}

export type Reading = [name: string, read: (response: Response) => Promise<unknown>]

/** Ways to read a body whole; those that cut it answer what they have got. */
export const READINGS: readonly Reading[] = [
  ['text', (response) => response.text()],
  ['json', (response) => response.json()],
  ['arrayBuffer', async (response) => new TextDecoder().decode(await response.arrayBuffer())],
  ['bytes', async (response) => new TextDecoder().decode(await response.bytes())],
  ['blob', async (response) => (await response.blob()).text()],
  ['formData', async (response) => [...(await response.formData())]],
  [
    'a reader',
    async ({ body }) => {
      const reader = body!.getReader()
      let all = ''
      for (let step = await reader.read(); !step.done; step = await reader.read())
        all += new TextDecoder().decode(step.value)
      return all
    },
  ],
  [
    'a reader with a buffer of its own',
    async ({ body }) => {
      const reader = body!.getReader({ mode: 'byob' })
      let all = ''
      for (;;) {
        const { done, value } = await reader.read(new Uint8Array(8))
        if (done) return all
        all += new TextDecoder().decode(value)
      }
    },
  ],
  [
    'one reader after the other',
    async ({ body }) => {
      const first = body!.getReader()
      const { value } = await first.read()
      first.releaseLock()
      const second = body!.getReader()
      let all = new TextDecoder().decode(value)
      for (let step = await second.read(); !step.done; step = await second.read())
        all += new TextDecoder().decode(step.value)
      return all
    },
  ],
  [
    'pipeTo',
    async ({ body }) => {
      let all = ''
      await body!.pipeTo(
        new WritableStream({ write: (chunk: Uint8Array) => void (all += new TextDecoder().decode(chunk)) }),
      )
      return all
    },
  ],
  [
    'pipeThrough',
    async ({ body }) => {
      let all = ''
      for await (const chunk of body!.pipeThrough(
        new TextDecoderStream(),
      ) as unknown as AsyncIterable<string>)
        all += chunk
      return all
    },
  ],
  [
    'iteration',
    async ({ body }) => {
      let all = ''
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>)
        all += new TextDecoder().decode(chunk)
      return all
    },
  ],
  [
    'values',
    async ({ body }) => {
      let all = ''
      for await (const chunk of body!.values()) all += new TextDecoder().decode(chunk)
      return all
    },
  ],
]

export const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }

/** The body in two parts, and what a reading of it answers. */
export const partsFor = (name: string): [string, string, unknown] => {
  if (name === 'json') return ['{"a"', ':1}', { a: 1 }]
  if (name === 'formData') return ['a=', '1', [['a', '1']]]
  return ['one', ' two', 'one two']
}
