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
 * One server of the page for all test files, built and served with the header fields of the deployed page, so that violations of
 * their policy are console errors. The warnings of React's development build come in the test of `npm start`.
 */
export default async function serveDemo(project: TestProject): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), 'lull-demo-'))
  const config = {
    configFile: fileURLToPath(new URL('../../demo/vite.config.ts', import.meta.url)),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  } as const
  // Vitest sets it to `test`, which a build would take over.
  const { NODE_ENV } = process.env
  process.env['NODE_ENV'] = 'production'
  await build(config)
  process.env['NODE_ENV'] = NODE_ENV
  const server = await preview({ ...config, preview: { port: 0, headers: pageHeaders } })
  project.provide('demoUrl', server.resolvedUrls!.local[0]!)
  return async () => {
    await server.close()
    await rm(outDir, { recursive: true })
  }
}
