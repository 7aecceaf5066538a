import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { inject, onTestFinished, afterAll } from 'vitest'

/** Of the options of ioredis those that tests set. */
interface ClientOptions {
  protocol?: 2 | 3
  enableOfflineQueue?: boolean
  maxRetriesPerRequest?: number
  retryStrategy?: () => number
}

/** A server of its own, on a free port of this machine. It writes nothing to the disk that outlives it. */
export interface RedisServer {
  readonly port: number
  /** Ends it at once, as a crash does. */
  kill: () => Promise<void>
  /** Starts it again, on the same port, with nothing in it. */
  start: () => Promise<void>
  /** Stops its process: connections stay, and nothing comes. */
  freeze: () => void
  thaw: () => void
  /** A client that the end of the server closes. */
  connect: (options?: ClientOptions) => Redis
}

async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    // The port of a cluster's bus is 10,000 above.
    if (port < 55_000) return port
  }
}

/** The servers that are running, by process: whatever happens, none outlives this one. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a server that ends with the file (if called at its top) or with the test. */
export async function startServer(
  args: readonly string[] = [],
  end: 'file' | 'test' = 'test',
): Promise<RedisServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'lull-redis-'))
  const clients = new Set<Redis>()
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...args]
    const started = spawn(inject('redisServer'), settings, { stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    running.add(started)
    started.once('exit', () => running.delete(started))
    let said = ''
    for await (const chunk of started.stdout) {
      said += String(chunk)
      if (said.includes('Ready to accept connections')) break
    }
    if (!said.includes('Ready to accept connections')) throw new Error(`No server: ${said}`)
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  const finish = async (): Promise<void> => {
    for (const client of clients) client.disconnect()
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }
  if (end === 'file') afterAll(finish)
  else onTestFinished(finish)
  await start()
  return {
    port,
    kill,
    start,
    freeze: () => child!.kill('SIGSTOP'),
    thaw: () => child!.kill('SIGCONT'),
    connect(options) {
      const client = new Redis(port, '127.0.0.1', options ?? {})
      // What fails is for the limiter to deal with.
      client.on('error', () => undefined)
      clients.add(client)
      return client
    },
  }
}
