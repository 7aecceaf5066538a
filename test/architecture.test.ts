import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** The text of each file, by its path in `src`. */
type Files = Readonly<Record<string, string>>

/** A sorted list, which the manual clock uses too. */
const QUEUE = 'core/queue/ordered-queue.ts'

/** The rules are pure arithmetic, and import nothing else of core. */
const CORE = ['core', 'core/limit/rules', 'core/shared', QUEUE]

/** State shared by the page, without React, so that tests of any kind can reset it. */
const PAGE = 'react/fetch-slot.ts'

/** The allowed imports of each layer within this package. A layer is a folder. */
const LAYERS: Record<string, string[]> = {
  'core/shared': ['core/shared'],
  'core/limit/rules': ['core/limit/rules', 'core/shared'],
  core: CORE,
  fetch: [...CORE, 'fetch'],
  react: [...CORE, 'fetch', 'react', PAGE],
  [PAGE]: [],
  [QUEUE]: [],
  redis: [...CORE, 'redis'],
  tabs: ['tabs'],
  testing: ['core/shared', 'testing', PAGE, QUEUE],
}

/** The allowed imports from other packages. */
const PACKAGES: Record<string, string[]> = { react: ['react'] }

const CLOCK = 'core/time/clock.ts'
/** Jest and Sinon fake `queueMicrotask` with the timers. A promise does not wait for a tick of these. */
const TIME =
  /\b(setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame|requestIdleCallback|performance|Date\.now|new Date(?!\([^)]))\b/g

function layerOf(path: string): string {
  if (path === PAGE || path === QUEUE) return path
  return CORE.slice(1).find((layer) => path.startsWith(`${layer}/`)) ?? path.split('/')[0]!
}

/** The code as it runs: without types and comments. */
function withoutTypes(path: string, code: string): string {
  const { ESNext } = ts.ScriptTarget
  const compilerOptions = { verbatimModuleSyntax: true, removeComments: true, target: ESNext }
  return ts.transpileModule(code, { compilerOptions, fileName: path }).outputText
}

/** The files in `src` and the packages that `code` names in imports, exports and types. */
const importsOf = (path: string, code: string): string[] =>
  ts
    .preProcessFile(code)
    .importedFiles.map(({ fileName }) =>
      fileName.startsWith('.') ? posix.join(posix.dirname(path), fileName) : fileName,
    )

const isFile = (target: string): boolean => target.endsWith('.ts') || target.endsWith('.tsx')

/** Imports that violate the layers. Types may come from anywhere in this package, as they are erased. */
function layerViolations(files: Files): string[] {
  return Object.entries(files).flatMap(([path, code]) => {
    const layer = layerOf(path)
    // Types of another package become a dependency of code that compiles against ours.
    const packages = importsOf(path, code).filter((target) => !isFile(target))
    const values = importsOf(path, withoutTypes(path, code)).filter(isFile)
    return [
      ...packages.filter((target) => !PACKAGES[layer]?.includes(target)),
      ...values.filter((target) => !LAYERS[layer]?.includes(layerOf(target))),
    ].map((target) => `${path} → ${target}`)
  })
}

/** Cycles of value imports. */
function cycles(files: Files): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const follow = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '))
    if (start >= 0 || done.has(path)) return
    for (const target of importsOf(path, withoutTypes(path, files[path] ?? '')))
      follow(target, [...trail, path])
    done.add(path)
  }
  for (const path in files) follow(path, [])
  return found
}

/** Uses of the platform's time and timers outside the clock. */
const usesOfTime = (files: Files): string[] =>
  Object.entries(files)
    .filter(([path]) => path !== CLOCK)
    .flatMap(([path, code]) =>
      Array.from(withoutTypes(path, code).matchAll(TIME), ([use]) => `${path}: ${use}`),
    )

const vagueNames = (files: Files): string[] =>
  Object.keys(files).filter((path) => /(^|\/)utils?(\/|\.)/.test(path))

const root = new URL('../src/', import.meta.url)
const src: Files = Object.fromEntries(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .map((path) => [path, readFileSync(new URL(path, root), 'utf8')]),
)

it('src is read completely', () => {
  for (const entry of ['core', 'fetch', 'react', 'redis', 'tabs', 'testing'])
    expect(src).toHaveProperty([`${entry}/index.ts`])
  const imports = Object.entries(src).flatMap(([path, code]) => importsOf(path, code))
  expect(imports.length).toBeGreaterThan(Object.keys(src).length)
  expect(imports.filter((target) => isFile(target) && !(target in src))).toEqual([])
})

it.each([
  ['import that violates the layers', layerViolations],
  ['import cycle', cycles],
  ['use of the platform’s time and timers but in core/time/clock.ts', usesOfTime],
  ['utils', vagueNames],
])('src has no %s', (_, find) => {
  expect(find(src)).toEqual([])
})

describe('this test', () => {
  it.each([
    ['core/limit/rules/gcra.ts', "import { now } from '../../time/clock.ts'", 'core/time/clock.ts'],
    ['core/debounce.ts', "import { call } from '../fetch/call.ts'", 'fetch/call.ts'],
    ['core/debounce.ts', "export * from '../testing/index.ts'", 'testing/index.ts'],
    ['core/debounce.ts', "import { throttle } from 'lull/core'", 'lull/core'],
    ['core/debounce.ts', "import type { ReactNode } from 'react'", 'react'],
    ['core/debounce.ts', "let node: import('react').ReactNode", 'react'],
    ['core/debounce.ts', "import { type Call } from '../fetch/call.ts'", 'fetch/call.ts'],
    ['fetch/call.ts', "const hooks = await import('../react/index.ts')", 'react/index.ts'],
    ['fetch/call.ts', "import 'react'", 'react'],
    ['react/use-it.ts', "import { flushSync } from 'react-dom'", 'react-dom'],
    ['testing/reset.ts', "import { useIt } from '../react/use-it.ts'", 'react/use-it.ts'],
    ['react/fetch-slot.ts', "import { useState } from 'react'", 'react'],
    ['stray.ts', "import { systemClock } from './core/time/clock.ts'", 'core/time/clock.ts'],
  ])('finds the layer violation of %s: %s', (path, text, target) => {
    expect(layerViolations({ [path]: text })).toEqual([`${path} → ${target}`])
  })

  it.each([
    ['core/limit/rules/gcra.ts', "import type { Clock } from '../../time/clock.ts'"],
    ['core/debounce.ts', "let call: import('../fetch/call.ts').Call"],
    ['core/debounce.ts', "export type { Call } from '../fetch/call.ts'"],
    ['fetch/call.ts', "import { createLimiter } from '../core/index.ts'\nexport { a } from './gate.ts'"],
    ['react/use-it.ts', "import { useRef } from 'react'\nimport { call } from '../fetch/call.ts'"],
    ['core/debounce.ts', "// import { call } from '../fetch/call.ts'\nconst text = \"import 'react'\""],
  ])('lets %s do %s', (path, text) => {
    expect(layerViolations({ [path]: text })).toEqual([])
  })

  it('finds a cycle of values, and not of types', () => {
    const files = {
      'core/index.ts': "export * from './a.ts'",
      'core/a.ts': "import { b } from './b.ts'",
      'core/b.ts': "import { c } from './rules/c.ts'",
      'core/rules/c.ts': "import { a } from '../a.ts'",
    }
    expect(cycles(files)).toEqual(['core/a.ts → core/b.ts → core/rules/c.ts → core/a.ts'])
    const ofTypes = "import type { A } from './a.ts'\nlet a: import('./a.ts').A"
    expect(cycles({ ...files, 'core/b.ts': ofTypes })).toEqual([])
  })

  it.each([
    'setTimeout(f, 5)',
    "globalThis['setTimeout'](f)",
    'const { performance } = globalThis',
    'globalThis.Date.now',
    'new Date()',
  ])('finds that %s bypasses the clock', (code) => {
    expect(usesOfTime({ 'core/a.ts': code, [CLOCK]: code })).toHaveLength(1)
  })

  it.each(['// setTimeout', '/** `performance.now` */ let a = 1', 'new Date(value)', 'clock.now()'])(
    'accepts %s',
    (code) => {
      expect(usesOfTime({ 'core/a.ts': code })).toEqual([])
    },
  )

  it('finds a vague name', () => {
    const files = { 'core/a.ts': '', 'core/utils/b.ts': '', 'core/c-utils.ts': '', 'fetch/util.ts': '' }
    expect(vagueNames(files)).toEqual(['core/utils/b.ts', 'fetch/util.ts'])
  })
})
