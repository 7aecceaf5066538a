import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { blocksOf, pages } from './markdown.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Declarations that snippets omit: the reader's functions, test runners, packages that are not installed. */
const globals = `
import type * as React from 'react'
import type * as lullCore from 'lull/core'
declare global {
  const children: React.ReactNode
  function Dashboard(): React.ReactNode
  function saveDraft(text: string): void
  function saveRow(id: number, text: string): void
  function search<T>(input: T): Promise<unknown>
  function fetchJson(url: string, init: { signal: AbortSignal }): Promise<string[]>
  function loadUsers(ids: number[]): Promise<string[]>
  function saveValues(values: Values): Promise<void>
  function sendValues(values: Values): Promise<void>
  function isFree(signal: AbortSignal, name: string): Promise<boolean>
  function UrlField(props: { inUrl: string; write: (text: string) => void }): React.ReactNode
  interface Values { name: string; bio: string }
  const saved: Values
  function markAsRead(ids: string[]): Promise<void>
  function upload(file: File): Promise<string>
  function usePrice(): number
  function setVolume(volume: number): void
  function drawAt(top: number): void
  function draw(): void
  function send(): Promise<void>
  function handle(): void
  function show(...what: unknown[]): void
  function showError(error: unknown): void
  function showRetry(...why: unknown[]): void
  function respond(status: number, headers: Record<string, number>): void
  function accountOf(request: Request): string
  const user: { id: string }
  function currentToken(): string
  function renewToken(): Promise<void>
  const file: File
  const files: File[]
  const order: object
  const signal: AbortSignal
  const limiter: lullCore.WaitingLimiter
  const app: { use: (handle: (...args: any[]) => unknown) => void } & ((...args: any[]) => void)
  const checkLimit: any, limitRequests: any, shared: any
  const run: any, jest: any, test: any, expect: any, beforeEach: any, afterEach: any, NextResponse: any
  const defineEventHandler: (handle: (event: any) => unknown) => void, setResponseHeaders: any, setResponseStatus: any
  type NextRequest = any
  interface ImportMeta { env: { DEV: boolean } }
}`

const missing = `
declare module 'next/server' { export const connection: any; export type NextRequest = any }
declare module 'next/navigation' {
  export function usePathname(): string
  export function useRouter(): { replace: (href: string, options: { scroll: boolean }) => void }
  export function useSearchParams(): URLSearchParams
}
declare module 'react-router' {
  export function useLocation(): { pathname: string }
  export function useSearchParams(): [URLSearchParams, (params: URLSearchParams, options: object) => void]
}
declare module 'react-hook-form' {
  export function useForm<V>(options: { defaultValues: V, mode: 'onChange' }): {
    subscribe: (to: { formState: object, callback: (state: { values: V }) => void }) => () => void
    register: (name: keyof V, rules: { validate: (value: string) => Promise<string | boolean> }) => object
    handleSubmit: (submit: (values: V) => Promise<void>) => (event: React.FormEvent) => Promise<void>
  }
}
declare module '*/lib/api' { export const apiFetch: typeof fetch }
declare module 'react-native' {
  export const AppState: {
    addEventListener: (type: 'change', listener: (state: string) => void) => { remove: () => void }
  }
}
declare module '@storybook/react-vite' {
  interface Decorated { decorators?: ((Story: () => React.ReactNode) => React.ReactNode)[] }
  export type Preview = Decorated
  export type Meta<C> = Decorated & { component: C }
  export type StoryObj<C> = { play: (context: { canvas: any, userEvent: any }) => Promise<void>, of?: C }
}
declare module 'storybook/test' { export const expect: any }`

const snippets = new Map([
  ['globals.d.ts', globals],
  ['missing.d.ts', missing],
])
for (const { place, language, code, isRecipe } of pages.flatMap(blocksOf))
  if (!isRecipe && /^tsx?$/.test(language))
    snippets.set(`${place.replaceAll(/[/:]/g, '_')}.${language}`, `${code}\nexport {}\n`)

function errors(): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: Record<string, unknown>
  }
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root)
  const base = ts.createCompilerHost(options)
  const folder = join(root, 'test/docs/snippets')
  const codeOf = (path: string): string | undefined =>
    dirname(path) === folder ? snippets.get(path.slice(folder.length + 1)) : undefined
  const host: ts.CompilerHost = {
    ...base,
    fileExists: (path) => codeOf(path) !== undefined || base.fileExists(path),
    readFile: (path) => codeOf(path) ?? base.readFile(path),
    getSourceFile(path, languageVersion, ...rest) {
      const code = codeOf(path)
      return code === undefined
        ? base.getSourceFile(path, languageVersion, ...rest)
        : ts.createSourceFile(path, code, languageVersion)
    },
  }
  const names = [...snippets.keys()].map((name) => join(folder, name))
  const program = ts.createProgram(names, { ...options, skipLibCheck: true }, host)
  return names.flatMap((name) => {
    const file = program.getSourceFile(name)!
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) =>
        `${name.slice(folder.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
  })
}

// One program for all snippets, because most of the time is spent on React's types.
it('every snippet of the README and the documentation compiles', { timeout: 300_000 }, () => {
  expect(snippets.size).toBeGreaterThan(80)
  expect(errors()).toEqual([])
})

it.each(pages.filter((page) => page.startsWith('docs/functions/') && !page.endsWith('/hooks.md')))(
  '%s starts with a short example to copy, on real time',
  (page) => {
    const [first] = blocksOf(page)
    const lines = first!.code.split('\n').filter((line) => line !== '')
    expect(first!.isRecipe).toBe(false)
    expect(lines[0]).toMatch(/^import /)
    expect(lines.length).toBeLessThanOrEqual(10)
    if (!/manual-clock|clock-provider/.test(page)) expect(first!.code).not.toContain('createManualClock')
  },
)

it('no code is wider than 75 columns', () => {
  const wide = pages
    .flatMap(blocksOf)
    .flatMap(({ place, code }) => code.split('\n').map((line) => [place, line] as const))
    .filter(([, line]) => line.length > 75)
  expect(wide).toEqual([])
})
