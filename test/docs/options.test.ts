import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { pages, read } from './markdown.ts'

const entries = ['react', 'core', 'fetch', 'redis', 'tabs'].map((entry) =>
  join(import.meta.dirname, `../../src/${entry}/index.ts`),
)
const program = ts.createProgram(entries, {
  strict: true,
  jsx: ts.JsxEmit.ReactJSX,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
})
const checker = program.getTypeChecker()
const exported = entries.flatMap((entry) =>
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)!)!),
)

/** An interface, or the type of the last parameter of a function. */
function typeOf(name: string): ts.Type {
  const found = exported.find((each) => each.name === name)!
  const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found
  const { valueDeclaration } = symbol
  const type =
    valueDeclaration && ts.isFunctionDeclaration(valueDeclaration) && valueDeclaration.parameters[0]
      ? checker.getTypeAtLocation(valueDeclaration.parameters.at(-1)!)
      : checker.getDeclaredTypeOfSymbol(symbol)
  return checker.getNonNullableType(type)
}
const optionsOf = (name: string): ts.Symbol[] => typeOf(name).getProperties()

/** Text of the page of a function between this heading and the next. */
function sectionOf(name: string, heading = 'Options'): string {
  const text = pages.map(read).find((page) => new RegExp(`^# .*\\b${name}\\b`).test(page)) ?? ''
  return new RegExp(`^## ${heading}\n(.*?)^## `, 'ms').exec(text)?.[1] ?? ''
}

/** The functions that take options. Another test is about the two fetches. */
const withOptions = exported
  .map(({ name }) => name)
  .filter((name) => /^[a-z](?!.*RateLimitedFetch$)/.test(name))
  .filter((name) => /^\w+Options(<.*>)?$/.test(checker.typeToString(typeOf(name))))

it.each([...new Set(withOptions)])('the page of %s lists each option', (name) => {
  const options = optionsOf(name)
  expect(options).not.toEqual([])
  for (const option of options) expect(sectionOf(name)).toContain(`\`${option.name}\``)
})

it('the page of composeRateLimitedFetch lists each option of a call', () => {
  const section = sectionOf('composeRateLimitedFetch', 'Returns')
  for (const { name } of optionsOf('CallOptions'))
    if (name !== 'promotion') expect(section).toMatch(new RegExp(`\\b${name}\\b`))
})

const composed = optionsOf('ComposeOptions')
const added = optionsOf('RateLimitedFetchOptions').filter(
  ({ name }) => !composed.some((one) => one.name === name),
)

it.each([
  ['composeRateLimitedFetch', composed, 12],
  ['createRateLimitedFetch', added, 2],
])('the page of %s lists every option once, with its default', (name, options, most) => {
  // A bar in a cell is escaped.
  const rows = sectionOf(name).matchAll(/^\| `(\w+)` +\|(?:\\\||[^|])*\|((?:\\\||[^|])*)\|/gm)
  const listed = Array.from(rows, ([, name, value]) => [name!, value!.trim().replaceAll('`', '')] as const)
  expect(listed.map(([name]) => name).sort()).toEqual(options.map(({ name }) => name).sort())
  /** The defaults that are no description. */
  const defaults = options.flatMap((option) => {
    const text = ts.displayPartsToString(
      option.getJsDocTags(checker).find(({ name }) => name === 'default')?.text,
    )
    return /^('.*'|[\d_]+|true|false|Infinity|\w+\.\w+|systemClock)$/.test(text) ? [[option.name, text]] : []
  })
  expect(defaults.length).toBeGreaterThanOrEqual(most)
  const shown = listed.map(([name, value]) => [name, value.replace(',', '_')])
  expect(shown).toEqual(expect.arrayContaining(defaults))
})

it('the guide to policies lists each hook', () => {
  const text = read('docs/guides/write-a-policy.md')
  for (const { name } of optionsOf('PolicyHooks'))
    expect(text).toMatch(new RegExp(`^\\| \`${name}[(\`]`, 'm'))
})
