// Compiles a React Server Component and runs it with the server build of React, which has no hooks: loading
// the client file there would fail.
import ts from 'typescript'
import { expect, it } from 'vitest'
import { stagePackage } from './stage-package.ts'

const run = stagePackage()

/** Compiles `code` and runs it as on a server. */
function runOnServer(code: string): unknown {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
  }
  return run(ts.transpileModule(code, { compilerOptions }).outputText, '--conditions=react-server')
}

it('a server component can use types of the hooks and the core, without the client file', () => {
  const said = runOnServer(`
    import type { DebouncedCallbackOptions } from 'lull'
    import { createLimiter, tokenBucket } from 'lull/core'
    import { parseRetryAfter } from 'lull/fetch'
    import * as React from 'react'

    const options: DebouncedCallbackOptions = { maxWait: 2000 }
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 1 }))
    if ('useState' in React) throw new Error('not the React of servers')
    console.log(JSON.stringify([limiter.allow(), limiter.allow(), parseRetryAfter('2'), options.maxWait]))
  `)
  expect(said).toEqual([true, false, 2000, 2000])
})

it('loading the client file on a server fails', () => {
  expect(() => runOnServer("import { useDebounce } from 'lull'\nconsole.log(typeof useDebounce)")).toThrow(
    /createContext|useState|useEffect/,
  )
})
