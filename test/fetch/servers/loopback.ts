import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A complete request as received from the network. */
export interface Arrived {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Sends a delayed or partial response. */
  readonly response: ServerResponse
}

/** A response; void if the test responds itself. */
export type Reply = number | { status: number; headers?: Record<string, string>; body?: string } | undefined

/** Serves on a port of its own until the test ends. Returns the origin. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that records its requests. @param reply 200 to every request by default */
export async function listen(reply: (request: Arrived, index: number) => Reply = () => 200) {
  const arrived: Arrived[] = []
  const origin = await serve((request, response) => {
    request.resume().on('end', () => {
      const { url = '', headers } = request
      const one = { path: url, headers, response }
      const answer = reply(one, arrived.push(one) - 1)
      if (answer === undefined) return
      if (typeof answer === 'number') response.writeHead(answer).end()
      else response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  return { origin, arrived, paths: () => arrived.map(({ path }) => path) }
}

export const reply = (status: number, headers: Record<string, string>): Reply => ({ status, headers })
