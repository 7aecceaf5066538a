// Runs in Node during the browser tests: two origins, different from the page's, that respond by scripts
// which the tests send.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'

/** Responses in order; the last one repeats. */
export interface Script {
  answers: readonly ScriptedAnswer[]
  /** The same for preflights. @default 204, everything allowed */
  preflights?: readonly ScriptedAnswer[]
}

export interface ScriptedAnswer {
  status: number
  /** @default `Access-Control-Allow-Origin: *` */
  headers?: Record<string, string>
  body?: string
  /** Never responds. */
  isHeld?: boolean
}

/** A request as received from the network, preflights included. */
export interface Logged {
  method: string
  path: string
  headers: Record<string, string>
  /** Base64. */
  body: string
}

declare module 'vitest' {
  interface ProvidedContext {
    origins: readonly [string, string]
  }
}

const ALLOW_ORIGIN = { 'Access-Control-Allow-Origin': '*' }
const ALLOW_ALL: ScriptedAnswer = {
  status: 204,
  headers: {
    ...ALLOW_ORIGIN,
    'Access-Control-Allow-Methods': '*',
    'Access-Control-Allow-Headers': '*, authorization',
  },
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

async function startServer(): Promise<{ server: Server; origin: string }> {
  const scripts = new Map<string, Script>()
  const logs = new Map<string, Logged[]>()

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const body = await read(request)
    const [, name = '', id = ''] = url.split('/')
    if (name === 'script' && method === 'POST') {
      scripts.set(id, JSON.parse(body.toString()) as Script)
      logs.set(id, [])
      response.writeHead(204, ALLOW_ORIGIN).end()
    } else if (name === 'log') {
      response.writeHead(200, ALLOW_ORIGIN).end(JSON.stringify(logs.get(id)))
    } else
      play(
        name,
        {
          method,
          path: url,
          headers: request.headers as Record<string, string>,
          body: body.toString('base64'),
        },
        response,
      )
  }

  function play(id: string, request: Logged, response: ServerResponse): void {
    const log = logs.get(id)!
    log.push(request)
    const isPreflight = (one: Logged): boolean => one.method === 'OPTIONS'
    const kind = isPreflight(request)
    const { answers, preflights = [ALLOW_ALL] } = scripts.get(id)!
    const index = log.filter((one) => isPreflight(one) === kind).length - 1
    const list = kind ? preflights : answers
    const { status, headers = ALLOW_ORIGIN, body, isHeld } = list[Math.min(index, list.length - 1)]!
    if (!isHeld) response.writeHead(status, headers).end(body)
  }

  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const [a, b] = await Promise.all([startServer(), startServer()])
  project.provide('origins', [a.origin, b.origin])
  return () => {
    for (const { server } of [a, b]) {
      server.closeAllConnections()
      server.close()
    }
  }
}
