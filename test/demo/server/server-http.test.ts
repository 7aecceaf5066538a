import { EventEmitter, once } from 'node:events'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AppOptions } from '../../../demo/server/create-app.ts'
import { createSite } from '../../../demo/server/create-site.ts'
import { pageHeaders } from '../../../demo/server/page-headers.ts'
import { startServer } from '../../../demo/server/start-server.ts'

async function serve(options: Parameters<typeof startServer>[0]) {
  const server = await startServer(options)
  onTestFinished(server.close)
  return server
}

async function start(options?: AppOptions, root = import.meta.dirname) {
  const { url } = await serve({ fetch: createSite(root, options).fetch, port: 0 })
  return { get: (path: string, init?: RequestInit) => fetch(new URL(path, url), init) }
}

it('sends the time of its own clock in the date style', async () => {
  const { get } = await start({ settings: { burst: 1, delayMs: 0, headers: 'date' }, now: () => 0 })
  await get('/api/search?q=')
  const { headers } = await get('/api/search?q=')
  expect(headers.get('Date')).toBe('Thu, 01 Jan 1970 00:00:00 GMT')
  expect(headers.get('Retry-After')).toBe('Thu, 01 Jan 1970 00:00:01 GMT')
})

it('aborts the signal when the client disconnects, and serves the next client', async () => {
  const server = new EventEmitter()
  const asleep = once(server, 'sleep')
  const { get } = await start({
    async sleep(_, signal) {
      // The listener is for the first client only, which sleeps until it disconnects.
      if (server.emit('sleep', signal)) await once(signal, 'abort')
    },
  })
  const client = new AbortController()
  const response = get('/api/search?q=paris', { signal: client.signal })
  const [signal] = (await asleep) as [AbortSignal]
  expect(signal.aborted).toBe(false)
  const left = once(signal, 'abort')
  client.abort()
  await expect(response).rejects.toThrow('aborted')
  await left
  expect((await get('/api/search?q=paris')).status).toBe(200)
})

it('drops the connection for the third kind of fault', async () => {
  const { get } = await start({ settings: { faultRate: 0.9, delayMs: 0 }, random: () => 0.8 })
  await expect(get('/api/search?q=paris')).rejects.toThrow('fetch failed')
  expect((await get('/api/about')).status).toBe(200)
})

it('uses the next free port if one is taken', async () => {
  const first = await serve({ fetch: () => new Response('first'), port: 0 })
  const port = Number(new URL(first.url).port)
  const second = await serve({ fetch: () => new Response('second'), port })
  expect(Number(new URL(second.url).port)).toBeGreaterThan(port)
  expect(await (await fetch(first.url)).text()).toBe('first')
  expect(await (await fetch(second.url)).text()).toBe('second')
})

it('closes while a client waits for its response', async () => {
  const server = new EventEmitter()
  const requested = once(server, 'request')
  const { url, close } = await startServer({
    port: 0,
    fetch() {
      server.emit('request')
      return new Promise<Response>(() => {})
    },
  })
  const response = fetch(url)
  await requested
  await Promise.all([close(), expect(response).rejects.toThrow('fetch failed')])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

it('serves the built page, compressed, and the API, and nothing outside its folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lull-demo-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const root = join(folder, 'client')
  await mkdir(join(root, 'assets'), { recursive: true })
  await writeFile(join(root, 'index.html'), '<title>demo</title>')
  await writeFile(join(root, 'assets/page-1a2b.js'), 'export {}'.padEnd(2000))
  await writeFile(join(folder, 'secret.txt'), 'secret')
  const { get } = await start({}, root)

  const page = await get('/')
  expect(await page.text()).toBe('<title>demo</title>')
  expect(page.headers.get('Content-Type')).toMatch('text/html')
  expect(page.headers.get('Cache-Control')).toBe('no-cache')
  for (const [name, value] of Object.entries(pageHeaders)) expect(page.headers.get(name), name).toBe(value)
  const script = await get('/assets/page-1a2b.js')
  expect(script.headers.get('Content-Type')).toMatch('text/javascript')
  expect(script.headers.get('Cache-Control')).toBe('max-age=31536000, immutable')
  expect(script.headers.get('Content-Encoding')).toBe('gzip')
  const nothing = await get('/assets/nothing.js')
  expect([nothing.status, nothing.headers.get('Cache-Control')]).toEqual([404, 'no-cache'])
  expect((await get('/..%2fsecret.txt')).status).toBe(404)
  expect((await get('/api/about')).headers.get('Cache-Control')).toBe('no-store')
})
