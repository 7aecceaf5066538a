import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

/** Serves the demo like `npm start`, but without reloading when files change. */
export async function startDemo(): Promise<{ url: string; close: () => Promise<void> }> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'lull-demo-'))
  const server = await createServer({
    configFile: fileURLToPath(new URL('../../demo/vite.config.ts', import.meta.url)),
    // Another server of the demo may be using the default cache folder.
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
