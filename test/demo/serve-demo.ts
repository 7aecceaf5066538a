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
 * One server of the bundled demo for all test files: an unbundled page takes seconds to load. It is bundled
 * for development, so that React logs its warnings, and served with the header fields of the built page, so
 * that violations of their policy are console errors.
 */
export default async function serveDemo(project: TestProject): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), 'lull-demo-'))
  const config = {
    configFile: fileURLToPath(new URL('../../demo/vite.config.ts', import.meta.url)),
    mode: 'development',
    logLevel: 'error',
    build: { outDir, minify: false, emptyOutDir: true },
  } as const
  // React and its plugin read this; the default of a build is production.
  process.env['NODE_ENV'] = 'development'
  await build(config)
  const server = await preview({ ...config, preview: { port: 0, headers: pageHeaders } })
  project.provide('demoUrl', server.resolvedUrls!.local[0]!)
  return async () => {
    await server.close()
    await rm(outDir, { recursive: true })
  }
}
