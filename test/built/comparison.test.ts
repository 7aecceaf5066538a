// @vitest-environment node
// Sizes and dependencies of the libraries, with lull as published, as docs/comparison.md states them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import preset from '@size-limit/preset-small-lib'
import sizeLimit from 'size-limit'
import { it } from 'vitest'
import { expectInPage, type Rows } from '../composition/comparison/page-table.ts'

const root = join(import.meta.dirname, '../..')
const none = '–'

/** What is compared, and what to import from each library. */
const imports: Record<string, string> = {
  'kB of the hook that debounces a function': `lull:useDebouncedCallback use-debounce:useDebouncedCallback
     @tanstack/react-pacer:useDebouncedCallback usehooks-ts:useDebounceCallback     ahooks:useDebounceFn react-use:useDebounce`,
  'kB of the hook that debounces a value':
    'lull:useDebounce use-debounce:useDebounce @tanstack/react-pacer:useDebouncedValue usehooks-ts:useDebounceValue ahooks:useDebounce',
  'kB of the hook that throttles a function':
    'lull:useThrottledCallback use-debounce:useThrottledCallback @tanstack/react-pacer:useThrottledCallback ahooks:useThrottleFn react-use:useThrottleFn',
  'kB of `debounce`, without React': 'lull:debounce lodash:debounce @tanstack/react-pacer:debounce',
  'kB of `throttle`, without React': 'lull:throttle lodash:throttle @tanstack/react-pacer:throttle',
}
const libraries = [
  'lull',
  'lodash',
  'use-debounce',
  '@tanstack/react-pacer',
  'usehooks-ts',
  'ahooks',
  'react-use',
]

const folderOf = (library: string): string => join(root, library === 'lull' ? '.' : `node_modules/${library}`)

interface Manifest {
  type?: string
  exports?: Record<string, string | Record<string, unknown>>
  peerDependencies?: Record<string, string>
  dependencies?: Record<string, string>
}

const manifestOf = (library: string): Manifest =>
  JSON.parse(readFileSync(join(folderOf(library), 'package.json'), 'utf8')) as Manifest

/** The minified, gzipped size with all dependencies but React, as `npm run size` measures ours. */
async function kilobytes(library: string, what: string): Promise<string> {
  const name = imports[what]!.split(/\s+/)
    .find((one) => one.startsWith(`${library}:`))
    ?.split(':')[1]
  if (!name) return none
  // Each function of lodash is the default of a file of its own.
  const isLodash = library === 'lodash'
  const ours = `dist/${name.startsWith('use') ? 'react' : 'core'}/index.js`
  const path = join(folderOf(library), isLodash ? `${name}.js` : library === 'lull' ? ours : '')
  const names = isLodash ? name : `{ ${name} }`
  const check = { files: [path], import: { [path]: names }, ignore: ['react', 'react-dom'], gzip: true }
  const [measured] = (await sizeLimit(preset, { cwd: root, checks: [check] })) as { size: number }[]
  return (measured!.size / 1000).toFixed(1)
}

function hasCommonJs({ type, exports }: Manifest): string {
  const main = exports?.['.']
  return type !== 'module' || (typeof main === 'object' && 'require' in main) ? 'yes' : 'no'
}

function leastReact({ peerDependencies }: Manifest): string {
  const range = peerDependencies?.['react']
  if (range === undefined) return none
  return range === '*' ? 'any' : /\d+(\.\d+)*/.exec(range)![0]
}

it('the table of packages in docs/comparison.md matches the packages', async () => {
  const rows: Rows = {}
  for (const what in imports) {
    rows[what] = {}
    for (const library of libraries) rows[what][library] = await kilobytes(library, what)
  }
  const facts: Record<string, (manifest: Manifest) => string> = {
    'Available as CommonJS': hasCommonJs,
    'Lowest React version': leastReact,
    Dependencies: ({ dependencies = {} }) => String(Object.keys(dependencies).length),
  }
  for (const [fact, read] of Object.entries(facts))
    rows[fact] = Object.fromEntries(libraries.map((library) => [library, read(manifestOf(library))]))
  await expectInPage('packages', rows)
})
