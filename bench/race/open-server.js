// Two ways to a server: on the clock of a test, and over HTTP. Each answers the `fetch` that leads there.
import { createServer } from 'node:http'
import { ANSWER_MS } from './bucket-server.js'

/** On `clock`, which may be a virtual one: requests arrive as soon as they are sent. */
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

/** The path of the request that the server does not count: the first of a process takes long. */
const WARM_UP = '/warm-up'

/** On loopback. */
export async function openOnLoopback(server) {
  // A connection that is closed while a request is on its way would look like a failure of the client.
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
