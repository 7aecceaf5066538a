import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** The text of each file, by its path in `src`. */
type Files = ReadonlyMap<string, string>

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
  testing: ['testing', PAGE, QUEUE],
}

/** The allowed imports from other packages. */
const PACKAGES: Record<string, string[]> = { react: ['react'] }

/** Jest and Sinon fake `queueMicrotask` with the timers. A promise does not wait for a tick of these. */
const TIME =
  /^(setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame|requestIdleCallback|performance)$/
const CLOCK = 'core/time/clock.ts'

function layerOf(path: string): string {
  if (path === PAGE || path === QUEUE) return path
  return CORE.slice(1).find((layer) => path.startsWith(`${layer}/`)) ?? path.split('/')[0]!
}

/** Returns every syntax node of a file, without comments. */
function nodesOf(path: string, text: string): ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  return nodes
}

interface Import {
  /** A path in `src`, or the name of a package. */
  target: string
  isPackage: boolean
  /** Whether it is erased at run time. */
  isType: boolean
}

function importsOf(path: string, text: string): Import[] {
  const imports: Import[] = []
  const add = (specifier: ts.Node | undefined, isType: boolean): void => {
    if (!specifier || !ts.isStringLiteral(specifier)) return
    const isPackage = !specifier.text.startsWith('.')
    const target = isPackage ? specifier.text : posix.join(posix.dirname(path), specifier.text)
    imports.push({ target, isPackage, isType })
  }
  for (const node of nodesOf(path, text)) {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false)
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true)
    }
  }
  return imports
}

/** Imports that exist at run time. Types may come from anywhere in this package, as they are erased. */
const valuesOf = (path: string, text: string): Import[] =>
  importsOf(path, text).filter(({ isType }) => !isType)

/** Imports that violate the layers. */
function layerViolations(files: Files): string[] {
  const violations: string[] = []
  for (const [path, text] of files) {
    const layer = layerOf(path)
    // Types of another package become a dependency of code that compiles against ours.
    const imports = importsOf(path, text).filter(({ isPackage, isType }) => isPackage || !isType)
    for (const { target, isPackage } of imports) {
      const mayImport = isPackage
        ? PACKAGES[layer]?.includes(target)
        : LAYERS[layer]?.includes(layerOf(target))
      if (!mayImport) violations.push(`${path} → ${target}`)
    }
  }
  return violations
}

/** Cycles of value imports. */
function cycles(files: Files): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const follow = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push([...trail.slice(start), path].join(' → '))
    if (start >= 0 || done.has(path)) return
    for (const { target } of valuesOf(path, files.get(path) ?? '')) follow(target, [...trail, path])
    done.add(path)
  }
  for (const path of files.keys()) follow(path, [])
  return found
}

/** Uses of the platform's time and timers outside the clock. */
function usesOfTime(files: Files): string[] {
  const uses: string[] = []
  for (const [path, text] of files) {
    if (path === CLOCK) continue
    for (const node of nodesOf(path, text)) {
      const isTime =
        (ts.isIdentifier(node) && TIME.test(node.text)) ||
        (ts.isElementAccessExpression(node) &&
          ts.isStringLiteral(node.argumentExpression) &&
          TIME.test(node.argumentExpression.text)) ||
        (ts.isPropertyAccessExpression(node) &&
          /\bDate$/.test(node.expression.getText()) &&
          node.name.text === 'now') ||
        (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length)
      if (isTime) uses.push(`${path}: ${node.getText()}`)
    }
  }
  return uses
}

/** Files and folders with vague names. */
function vagueNames(files: Files): string[] {
  return [...files.keys()].filter((path) => /(^|\/)utils?(\/|\.)/.test(path))
}

describe('src', () => {
  const root = new URL('../src/', import.meta.url)
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.[cm]?[jt]sx?$/.test(path),
  )
  const files: Files = new Map(paths.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))

  it('is read completely', () => {
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        'core/time/clock.ts',
        'core/index.ts',
        'fetch/index.ts',
        'react/index.ts',
        'tabs/index.ts',
        'testing/index.ts',
      ]),
    )
    const imports = [...files].flatMap(([path, text]) => importsOf(path, text))
    expect(imports.length).toBeGreaterThan(files.size)
    const missing = imports.filter(({ target, isPackage }) => !isPackage && !files.has(target))
    expect(missing).toEqual([])
  })

  it('has no import that violates the layers', () => {
    expect(layerViolations(files)).toEqual([])
  })

  it('has no import cycle', () => {
    expect(cycles(files)).toEqual([])
  })

  it('uses the time and the timers of the platform only in core/time/clock.ts', () => {
    expect(usesOfTime(files)).toEqual([])
  })

  it('has no utils', () => {
    expect(vagueNames(files)).toEqual([])
  })
})

describe('this test', () => {
  const plant = (files: Record<string, string>): Files => new Map(Object.entries(files))

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
    ['testing/clock.ts', "import { type Clock } from '../core/time/clock.ts'", 'core/time/clock.ts'],
    ['testing/reset.ts', "import { useIt } from '../react/use-it.ts'", 'react/use-it.ts'],
    ['react/fetch-slot.ts', "import { useState } from 'react'", 'react'],
    ['tabs/index.ts', "import { learnPace } from '../fetch/index.ts'", 'fetch/index.ts'],
    ['stray.ts', "import { systemClock } from './core/time/clock.ts'", 'core/time/clock.ts'],
  ])('finds the layer violation of %s: %s', (path, text, target) => {
    expect(layerViolations(plant({ [path]: text }))).toEqual([`${path} → ${target}`])
  })

  it.each([
    ['core/limit/rules/gcra.ts', "import type { Clock } from '../../time/clock.ts'"],
    ['core/debounce.ts', "let call: import('../fetch/call.ts').Call"],
    ['core/debounce.ts', "export type { Call } from '../fetch/call.ts'"],
    ['core/limiter.ts', "import { gcra } from './rules/gcra.ts'"],
    ['fetch/call.ts', "import { createLimiter } from '../core/index.ts'\nexport { a } from './gate.ts'"],
    ['react/use-it.ts', "import { useRef } from 'react'\nimport { call } from '../fetch/call.ts'"],
    ['core/debounce.ts', "// import { call } from '../fetch/call.ts'\nconst text = \"import 'react'\""],
  ])('lets %s do %s', (path, text) => {
    expect(layerViolations(plant({ [path]: text }))).toEqual([])
  })

  it('finds a cycle', () => {
    const files = plant({
      'core/index.ts': "export * from './a.ts'",
      'core/a.ts': "import { b } from './b.ts'",
      'core/b.ts': "import { c } from './rules/c.ts'",
      'core/rules/c.ts': "import { a } from '../a.ts'",
    })
    expect(cycles(files)).toEqual(['core/a.ts → core/b.ts → core/rules/c.ts → core/a.ts'])
    expect(cycles(plant({ 'core/a.ts': "import './a.ts'" }))).toEqual(['core/a.ts → core/a.ts'])
  })

  it('does not count a cycle of type imports', () => {
    const files = plant({
      'core/a.ts': "import { b } from './b.ts'",
      'core/b.ts': "import type { A } from './a.ts'\nlet a: import('./a.ts').A",
    })
    expect(cycles(files)).toEqual([])
  })

  it.each([
    'setTimeout(f, 5)',
    'globalThis.setInterval',
    "globalThis['setTimeout'](f)",
    'const { performance } = globalThis',
    'performance.now()',
    'Date.now()',
    'globalThis.Date.now',
    'new Date()',
    'requestAnimationFrame(f)',
    'queueMicrotask(f)',
  ])('finds that %s bypasses the clock', (code) => {
    expect(usesOfTime(plant({ 'core/a.ts': code }))).not.toEqual([])
    expect(usesOfTime(plant({ 'core/time/clock.ts': code }))).toEqual([])
  })

  it.each([
    '// setTimeout',
    '/** `performance.now` */ let a = 1',
    'new Date(value)',
    'Date.parse(a)',
    'clock.now()',
    "'Date.now'",
  ])('accepts %s', (code) => {
    expect(usesOfTime(plant({ 'core/a.ts': code }))).toEqual([])
  })

  it('finds a vague name', () => {
    const files = plant({
      'core/a.ts': '',
      'core/utils/b.ts': '',
      'core/c-utils.ts': '',
      'fetch/util.ts': '',
    })
    expect(vagueNames(files)).toEqual(['core/utils/b.ts', 'fetch/util.ts'])
  })
})
