// These run in real time, against a real server and with the platform's own clock and fetch: only so is it seen that
// the parts fit together (timers, sockets, streams). What is exact to the millisecond is tested on the manual clock.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRateLimitedFetch } from 'lull/fetch'
import { afterEach, beforeEach, expect, it } from 'vitest'

interface Seen {
  path: string
  at: number
  type: string | undefined
  body: Buffer
}

let server: Server
let base: string
let seen: Seen[]
/** Answers each request when its body is there. */
let answer: (request: Seen, response: ServerResponse, index: number) => unknown

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = performance.now()
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { url = '', headers } = request
  seen.push({ path: url, at, type: headers['content-type'], body: Buffer.concat(parts) })
  answer(seen.at(-1)!, response, seen.length - 1)
}

beforeEach(async () => {
  seen = []
  answer = (_, response) => response.end('ok')
  server = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

it('after a 429 with Retry-After: 1 the server receives nothing for a second, and then everything, in order', async () => {
  let refusedAt = Infinity
  answer = (_, response, index) => {
    if (index > 0) return response.end('ok')
    refusedAt = performance.now()
    return response.writeHead(429, { 'Retry-After': '1' }).end('too many')
  }
  const f = createRateLimitedFetch({ random: () => 0 })
  const first = f(`${base}/0`, { method: 'PUT', body: 'the same' })
  await new Promise<void>((resolve) => {
    const unsubscribe = f.subscribe(() => {
      if (f.snapshot().gate.open) return
      unsubscribe()
      resolve()
    })
  })
  const others = Array.from({ length: 20 }, (_, index) => f(`${base}/${index + 1}`))
  expect(f.snapshot()).toMatchObject({ queued: 21, inFlight: 0 })

  const responses = await Promise.all([first, ...others])
  expect(await Promise.all(responses.map((response) => response.text()))).toEqual(Array(21).fill('ok'))
  expect(seen).toHaveLength(22)
  for (const { at } of seen.slice(1)) expect(at).toBeGreaterThanOrEqual(refusedAt + 1000)
  expect(seen.slice(0, 2)).toMatchObject([{ path: '/0' }, { path: '/0' }])
  expect(seen[1]!.body.toString()).toBe('the same')
  // Each in a connection of its own, those of one window may overtake each other; not those of the next.
  const paths = seen.slice(2).map(({ path }) => Number(path.slice(1)))
  expect(paths.slice(0, 2).sort()).toEqual([1, 2])
  expect(paths.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})

it('a response whose body is held back does not hold the slot', async () => {
  answer = ({ path }, response) => {
    if (path !== '/held') return response.end('second')
    finish = () => response.end(', and its end')
    return response.writeHead(200).write('first')
  }
  let finish = (): unknown => undefined
  const f = createRateLimitedFetch({ concurrency: 1 })
  const held = f(`${base}/held`)
  const second = f(`${base}/second`)
  expect(await (await second).text()).toBe('second')
  finish()
  expect(await (await held).text()).toBe('first, and its end')
})

it('a connection that breaks is tried again, for a GET alone', async () => {
  answer = (_, response, index) => (index === 0 ? response.destroy() : response.end('ok'))
  const f = createRateLimitedFetch({ random: () => 0 })
  expect(await (await f(`${base}/`)).text()).toBe('ok')
  seen = []
  await expect(f(`${base}/`, { method: 'POST', body: 'x' })).rejects.toThrow(TypeError)
  expect(seen).toHaveLength(1)
})
