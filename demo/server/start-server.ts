import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ServerOptions {
  fetch: Parameters<typeof getRequestListener>[0]
  /** 0 means any free port. */
  port: number
}

interface RunningServer {
  url: string
  /** Also closes connections with pending responses. */
  close: () => Promise<void>
}

const LOOPBACK = '127.0.0.1'
const PORTS_TO_TRY = 20

/** Serves `fetch` on the loopback address at `port`, or at the first free port of the 20 from it. */
export async function startServer({ fetch, port }: ServerOptions): Promise<RunningServer> {
  // Leaves the global Request and Response unchanged for other code of the process.
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))

  for (let tries = 1; !server.listening; tries++) {
    server.listen(port, LOOPBACK)
    try {
      await once(server, 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === PORTS_TO_TRY) throw error
      port++
    }
  }

  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close()
      // Browsers keep connections open, which would keep the process alive.
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
