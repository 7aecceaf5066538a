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

/** The folder of a library and its imports, with their file if it is not the main one. */
interface Package {
  folder: string
  imports: Partial<Record<string, [names: string, file?: string]>>
}

const fnHook = 'kB of the hook that debounces a function'
const valueHook = 'kB of the hook that debounces a value'
const throttleHook = 'kB of the hook that throttles a function'
const debounce = 'kB of `debounce`, without React'
const throttle = 'kB of `throttle`, without React'

const packages: Record<string, Package> = {
  lull: {
    folder: '.',
    imports: {
      [fnHook]: ['{ useDebouncedCallback }', 'dist/react/index.js'],
      [valueHook]: ['{ useDebounce }', 'dist/react/index.js'],
      [throttleHook]: ['{ useThrottledCallback }', 'dist/react/index.js'],
      [debounce]: ['{ debounce }', 'dist/core/index.js'],
      [throttle]: ['{ throttle }', 'dist/core/index.js'],
    },
  },
  lodash: {
    folder: 'node_modules/lodash',
    imports: { [debounce]: ['debounce', 'debounce.js'], [throttle]: ['throttle', 'throttle.js'] },
  },
  'use-debounce': {
    folder: 'node_modules/use-debounce',
    imports: {
      [fnHook]: ['{ useDebouncedCallback }'],
      [valueHook]: ['{ useDebounce }'],
      [throttleHook]: ['{ useThrottledCallback }'],
    },
  },
  'usehooks-ts': {
    folder: 'node_modules/usehooks-ts',
    imports: { [fnHook]: ['{ useDebounceCallback }'], [valueHook]: ['{ useDebounceValue }'] },
  },
  ahooks: {
    folder: 'node_modules/ahooks',
    imports: {
      [fnHook]: ['{ useDebounceFn }'],
      [valueHook]: ['{ useDebounce }'],
      [throttleHook]: ['{ useThrottleFn }'],
    },
  },
  'react-use': {
    folder: 'node_modules/react-use',
    imports: { [fnHook]: ['{ useDebounce }'], [throttleHook]: ['{ useThrottleFn }'] },
  },
}

interface Manifest {
  type?: string
  exports?: Record<string, string | Record<string, unknown>>
  peerDependencies?: Record<string, string>
  dependencies?: Record<string, string>
}

const manifestOf = ({ folder }: Package): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

/** The minified, gzipped size with all dependencies but React, as `npm run size` measures ours. */
async function kilobytes({ folder, imports }: Package, what: string): Promise<string> {
  if (!imports[what]) return none
  const [names, file = ''] = imports[what]
  const path = join(root, folder, file)
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
  for (const what of [fnHook, valueHook, throttleHook, debounce, throttle]) {
    rows[what] = {}
    for (const [name, library] of Object.entries(packages)) rows[what][name] = await kilobytes(library, what)
  }
  const facts: Record<string, (manifest: Manifest) => string> = {
    'Available as CommonJS': hasCommonJs,
    'Lowest React version': leastReact,
    Dependencies: ({ dependencies = {} }) => String(Object.keys(dependencies).length),
  }
  for (const [fact, read] of Object.entries(facts)) {
    rows[fact] = Object.fromEntries(
      Object.entries(packages).map(([name, library]) => [name, read(manifestOf(library))]),
    )
  }
  await expectInPage('packages', rows)
})
