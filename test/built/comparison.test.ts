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

const sizes = [
  'the hook that debounces a function',
  'the hook that debounces a value',
  'the hook that throttles a function',
  '`debounce`, without React',
  '`throttle`, without React',
]
/** What to import from each library for these sizes. */
const imports: Record<string, string> = {
  lull: 'useDebouncedCallback useDebounce useThrottledCallback debounce throttle',
  lodash: '– – – debounce throttle',
  'use-debounce': 'useDebouncedCallback useDebounce useThrottledCallback – –',
  '@tanstack/react-pacer': 'useDebouncedCallback useDebouncedValue useThrottledCallback debounce throttle',
  'usehooks-ts': 'useDebounceCallback useDebounceValue – – –',
  ahooks: 'useDebounceFn useDebounce useThrottleFn – –',
  'react-use': 'useDebounce – useThrottleFn – –',
}

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
async function kilobytes(library: string, name: string): Promise<string> {
  if (name === none) return none
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

it('the table of packages in docs/comparison.md matches the packages', async () => {
  const rows: Rows = {}
  for (const [library, names] of Object.entries(imports)) {
    const { peerDependencies: { react = none } = {}, dependencies = {}, ...rest } = manifestOf(library)
    const facts: Record<string, string> = {
      'Available as CommonJS': hasCommonJs(rest),
      'Lowest React version': react === '*' ? 'any' : react.replace(/^\D*([\d.]+).*/, '$1'),
      Dependencies: String(Object.keys(dependencies).length),
    }
    for (const [index, name] of names.split(' ').entries())
      (rows[`kB of ${sizes[index]!}`] ??= {})[library] = await kilobytes(library, name)
    for (const fact in facts) (rows[fact] ??= {})[library] = facts[fact]!
  }
  await expectInPage('packages', rows)
})
