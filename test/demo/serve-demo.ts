import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import type { TestProject } from 'vitest/node'
import { pageHeaders } from '../../demo/server/page-headers.ts'

declare module 'vitest' {
  interface ProvidedContext {
    demoUrl: string
  }
}

/**
 * One server of the bundled demo for all files: a page that is not bundled takes seconds to load. It is bundled for
 * development, so that React says what it sees, and served with the header fields of the built one: what their policy forbids
 * is an error in the console.
 */
export default async function serveDemo(project: TestProject): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), 'lull-demo-'))
  const config = {
    configFile: fileURLToPath(new URL('../../demo/vite.config.ts', import.meta.url)),
    mode: 'development',
    logLevel: 'error',
    build: { outDir, minify: false, emptyOutDir: true },
  } as const
  // What React and its plugin go by; a build would be for production.
  process.env['NODE_ENV'] = 'development'
  await build(config)
  const server = await preview({ ...config, preview: { port: 0, headers: pageHeaders } })
  project.provide('demoUrl', server.resolvedUrls!.local[0]!)
  return async () => {
    await server.close()
    await rm(outDir, { recursive: true })
  }
}
