import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { read } from './markdown.ts'

const entries = ['react', 'fetch'].map((entry) => join(import.meta.dirname, `../../src/${entry}/index.ts`))
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

/** The members of an interface, or of what a function takes first. */
function optionsOf(name: string): ts.Symbol[] {
  const symbol = checker.getAliasedSymbol(exported.find((each) => each.name === name)!)
  const { valueDeclaration } = symbol
  const type =
    valueDeclaration && ts.isFunctionDeclaration(valueDeclaration)
      ? checker.getTypeAtLocation(valueDeclaration.parameters[0]!)
      : checker.getDeclaredTypeOfSymbol(symbol)
  return checker.getNonNullableType(type).getProperties()
}

/** Text of the page between this heading and the next. */
const sectionOf = (page: string, heading: string): string =>
  new RegExp(`^## ${heading}\n(.*?)^## `, 'ms').exec(read(`docs/functions/${page}.md`))![1]!

it.each([
  ['use-debounce', 'DebounceValueOptions'],
  ['use-throttle', 'ThrottleValueOptions'],
  ['use-debounced-callback', 'DebouncedCallbackOptions'],
  ['use-throttled-callback', 'ThrottledCallbackOptions'],
  ['use-debounced-state', 'DebouncedStateOptions'],
  ['use-debounced-async', 'DebouncedAsyncOptions'],
  ['use-batch', 'UseBatchOptions'],
  ['use-throttled-event', 'ThrottledEventOptions'],
  ['use-throttled-resize', 'ThrottledResizeOptions'],
  ['use-rate-meter', 'RateMeterViewOptions'],
  ['dedupe-fetch', 'DedupeFetchOptions'],
  ['supersede-fetch', 'SupersedeFetchOptions'],
  ['learn-pace', 'LearnPaceOptions'],
  ['rate-limit-fields', 'rateLimitFields'],
  ['rate-limit-fields', 'legacyRateLimitFields'],
  ['priorities', 'priorities'],
  ['retry-budget', 'retryBudget'],
  ['page-lifecycle', 'pageLifecycle'],
  ['parse-retry-after', 'RetryAfterOptions'],
  ['read-rate-limit', 'ReadRateLimitOptions'],
  ['compose-rate-limited-fetch', 'CallOptions', 'Returns', '\\b'],
])('the page %s lists each option of %s', (page, name, heading = 'Options', edge = '`') => {
  const section = sectionOf(page, heading)
  const options = optionsOf(name).filter((option) => option.name !== 'promotion')
  expect(options).not.toEqual([])
  for (const option of options) expect(section).toMatch(new RegExp(edge + option.name + edge))
})

const composed = optionsOf('ComposeOptions')
const added = optionsOf('RateLimitedFetchOptions').filter(
  ({ name }) => !composed.some((one) => one.name === name),
)

it.each([
  ['compose-rate-limited-fetch', composed, 12],
  ['create-rate-limited-fetch', added, 2],
])('the page %s lists every option once, with its default', (page, options, most) => {
  // A bar in a cell is escaped.
  const rows = sectionOf(page, 'Options').matchAll(/^\| `(\w+)` +\|(?:\\\||[^|])*\|((?:\\\||[^|])*)\|/gm)
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
