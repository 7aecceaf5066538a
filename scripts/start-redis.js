import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { findRedis } from './find-redis.js'

/** Starts a Redis or Valkey server, which keeps nothing, on a free port. It stops when this process exits. */
export async function startRedis() {
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address()
  free.close()
  await once(free, 'close')
  const server = spawn(findRedis(), ['--port', String(port), '--save', ''], { stdio: 'ignore' })
  const kill = () => server.kill('SIGKILL')
  process.on('exit', kill)
  return { port, kill }
}
