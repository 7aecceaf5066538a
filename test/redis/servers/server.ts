import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { inject, onTestFinished, afterAll } from 'vitest'

async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    // The cluster bus port is 10,000 higher.
    if (port < 55_000) return port
  }
}

/** The running servers by process; none outlives this process. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts a separate server on a free port. It stops with the file (if called at top level) or with the test,
 * and leaves nothing on disk.
 */
export async function startServer(args: readonly string[] = [], end: 'file' | 'test' = 'test') {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'lull-redis-'))
  const clients = new Set<Redis>()
  let child: ChildProcess | undefined

  /** Starts it, also again on the same port, empty. */
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
    /** Suspends its process: connections stay open, and no reply arrives. */
    freeze: () => child!.kill('SIGSTOP'),
    thaw: () => child!.kill('SIGCONT'),
    /** A client that closes with the server. */
    connect(options: { protocol?: 3; enableOfflineQueue?: boolean; retryStrategy?: () => number } = {}) {
      const client = new Redis(port, '127.0.0.1', options)
      // The limiter handles the errors.
      client.on('error', () => undefined)
      clients.add(client)
      return client
    },
    /** The same of node-redis; it closes with the test. */
    async connectNodeRedis() {
      const client = createClient({ socket: { port, reconnectStrategy: 50 } })
      client.on('error', () => undefined)
      await client.connect()
      onTestFinished(() => client.destroy())
      return client
    },
  }
}

export type RedisServer = Awaited<ReturnType<typeof startServer>>
