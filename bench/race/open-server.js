// Two ways to reach a server: on the clock of a test, and over HTTP. Each returns the `fetch` to use.
import { createServer } from 'node:http'
import { ANSWER_MS } from './bucket-server.js'

/** Opens the server on `clock`, which may be virtual. Requests arrive as soon as they are sent. */
export function openOnClock(server, clock) {
  return {
    url: 'https://limited.test/',
    fetch(input, init) {
      const { signal } = new globalThis.Request(input, init)
      if (signal.aborted) return Promise.reject(signal.reason)
      const { status, headers } = server.receive()
      return new Promise((resolve, reject) => {
        const cancel = clock.after(ANSWER_MS, () =>
          resolve(new globalThis.Response(null, { status, headers })),
        )
        signal.addEventListener('abort', abort, { once: true })
        function abort() {
          cancel()
          reject(signal.reason)
        }
      })
    },
    close: () => undefined,
  }
}

/** The path of a request that the server does not count, because the first request of a process takes long. */
const WARM_UP = '/warm-up'

/** Opens the server over HTTP on loopback. */
export async function openOnLoopback(server) {
  // If the server closed a connection while a request is on the way, it would look like a failure of the client.
  const http = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    if (request.url === WARM_UP) return response.end()
    const { status, headers } = server.receive()
    setTimeout(() => response.writeHead(status, { ...headers, 'content-length': 0 }).end(), ANSWER_MS)
  })
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${http.address().port}`
  await globalThis.fetch(origin + WARM_UP)
  return {
    url: `${origin}/`,
    fetch: (input, init) => globalThis.fetch(input, init),
    close() {
      http.close()
      http.closeAllConnections()
    },
  }
}
