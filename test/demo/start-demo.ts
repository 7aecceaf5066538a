import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

/** The demo as `npm start` serves it, but for who has its files open in an editor: it does not reload. */
export async function startDemo(): Promise<{ url: string; close: () => Promise<void> }> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'lull-demo-'))
  const server = await createServer({
    configFile: fileURLToPath(new URL('../../demo/vite.config.ts', import.meta.url)),
    // Another server of the same demo may be at work on the usual one.
    cacheDir,
    logLevel: 'error',
    server: { port: 0, hmr: false, watch: null },
  })
  await server.listen()
  return {
    url: server.resolvedUrls!.local[0]!,
    async close() {
      await server.close()
      await rm(cacheDir, { recursive: true })
    },
  }
}
