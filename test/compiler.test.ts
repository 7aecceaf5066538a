import { transformAsync } from '@babel/core'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('../src/react/', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(^|\/)(use-.*|.*-provider)\.tsx?$/.test(name),
)

interface CompilerEvent {
  kind: string
  fnName?: string | null
}

/** Returns React Compiler's event for each component and hook in `file`. */
async function compile(file: string): Promise<CompilerEvent[]> {
  const path = new URL(file, folder).pathname
  const events: CompilerEvent[] = []
  const logger = { logEvent: (_: string | null, event: CompilerEvent) => events.push(event) }
  await transformAsync(readFileSync(path, 'utf8'), {
    filename: path,
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: ['typescript', ...(file.endsWith('x') ? (['jsx'] as const) : [])] },
    plugins: [['babel-plugin-react-compiler', { panicThreshold: 'none', logger }]],
  })
  return events
}

/** Returns the components and hooks that a file exports. */
function exported(file: string): string[] {
  const code = readFileSync(new URL(file, folder), 'utf8')
  const names = [...code.matchAll(/^export function (use\w+|[A-Z]\w+)/gm)].map(([, name]) => name!)
  // Overloads are one function.
  return [...new Set(names)]
}

it.each(files)('React Compiler compiles all of %s', async (file) => {
  const events = await compile(file)
  expect(events.filter(({ kind }) => kind !== 'CompileSuccess')).toEqual([])
  expect(events.map(({ fnName }) => fnName)).toEqual(expect.arrayContaining(exported(file)))
})

it('React Compiler reports a hook that it cannot compile', async () => {
  expect(files.flatMap(exported)).toContain('useDebouncedCallback')
  expect((await compile('../../test/fixtures/not-compiled.ts')).map(({ kind }) => kind)).toEqual([
    'CompileError',
  ])
})
