import { fileURLToPath } from 'node:url'
import { createSite } from './create-site.ts'
import { startServer } from './start-server.ts'

// This file is built into dist/server, the page into dist/client.
const site = createSite(fileURLToPath(new URL('../client', import.meta.url)))
const { url, close } = await startServer({ fetch: site.fetch, port: Number(process.env['PORT'] ?? 4173) })
console.log(`The demo is at ${url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close())
