// Compiles a React Server Component and runs it with the server build of React, which has no hooks: loading
// the client file there would fail.
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stagePackage } from './stage-package.ts'

let folder: string

beforeAll(() => {
  folder = stagePackage()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Compiles `component`, calls it on a server, and returns its output. */
function runOnServer(component: string): string {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
  }
  const { outputText } = ts.transpileModule(component, { compilerOptions })
  writeFileSync(join(folder, 'page.mjs'), outputText)
  const script = "console.log((await import('./page.mjs')).default())"
  return execFileSync(process.execPath, ['--conditions=react-server', '--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 20_000,
    stdio: 'pipe',
  }).trim()
}

it('a server component can use types of the hooks and the core, without the client file', () => {
  const said = runOnServer(`
    import type { DebouncedCallbackOptions } from 'lull'
    import { createLimiter, tokenBucket } from 'lull/core'
    import { parseRetryAfter } from 'lull/fetch'
    import * as React from 'react'

    const options: DebouncedCallbackOptions = { maxWait: 2000 }
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }))

    export default function Page(): string {
      if ('useState' in React) throw new Error('not the React of servers')
      return [limiter.allow(), limiter.allow(), parseRetryAfter('2'), options.maxWait].join()
    }
  `)
  expect(said).toBe('true,false,2000,2000')
})

it('loading the client file on a server fails', () => {
  expect(() =>
    runOnServer("import { useDebounce } from 'lull'\nexport default () => typeof useDebounce"),
  ).toThrow(/createContext|useState|useEffect/)
})
