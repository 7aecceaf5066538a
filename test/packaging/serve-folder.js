import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { promisify } from 'node:util'

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css',
}

/** Serves the files of a folder over HTTP on loopback. */
export async function serveFolder(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = join(folder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname))
    readFile(path).then(
      (content) =>
        response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(content),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  return { url: `http://127.0.0.1:${port}/`, close: promisify(server.close.bind(server)) }
}
