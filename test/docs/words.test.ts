import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pages, read } from './markdown.ts'

/** In-house words, each with the common term that people search for. */
const words: [found: RegExp, write: string][] = [
  [/\banswers?\b|\banswered\b/i, 'returns; responds'],
  [/\bpaced fetch|\bpaces itself/, 'rate-limited fetch'],
  [
    /\b(he|those|nobody|somebody|someone|anybody|callers?) who waits?\b|\bwho(ever)? waits\b/,
    'waiting calls',
  ],
  [
    /\b(is|are|was|be|not) told\b(?! apart)|\btold (of|that|when|what|the|by)\b|\btells? (of|the|what)\b/,
    'gets; is called with; says',
  ],
  [/\bthat which\b|\bwhat becomes of\b/, 'what happens to'],
  [/\bone by one too dear\b|\b(so|too) dear\b/, 'costly'],
  [
    /\brested\b|\b(once|when|until) (it|typing|the value|they|calls) rests?\b|\bcomes? to rest\b/,
    'has stopped changing',
  ],
  [/\bin vain\b/, 'that cannot succeed'],
  [/\bas one (types|writes)\b|\bone types on\b/, 'while typing; autosave'],
  [/\bgoes to see\b/, 'sends a probe request'],
  [/\bbegins? anew\b|\bmade anew\b/, 'restarts; new in each render'],
  [/\bof late\b/, 'recent'],
  [/\bwhoever\b|\bwhosoever\b/, 'the caller'],
  [/\bheld back\b.*\bheld back\b/, 'debounced'],
  [/\bR\d{1,3}\b(?!-)|\bseed \d{3}\b/, 'the reason, or a public source'],
]

function found(place: string, text: string): string[] {
  // The titles of tests are quoted in docs/security.md.
  return text
    .split('\n')
    .flatMap((line, index) =>
      words
        .filter(([pattern]) => pattern.test(line.replaceAll(/“[^”]*”/g, '')))
        .map(
          ([pattern, write]) => `${place}:${index + 1}: “${pattern.exec(line)?.[0] ?? ''}”: write ${write}`,
        ),
    )
}

it.each(pages)('%s uses the words that people search for', (page) => {
  expect(found(page, read(page))).toEqual([])
})

it('the newest section of the changelog uses the words that people search for', () => {
  const [, newest] = read('CHANGELOG.md').split(/^## /m)
  expect(found('CHANGELOG.md', newest!)).toEqual([])
})

const sources = readdirSync(new URL('../../src/', import.meta.url), {
  encoding: 'utf8',
  recursive: true,
}).filter((path) => /\.tsx?$/.test(path))

it.each(sources)('the docstrings of src/%s use the words that people search for', (path) => {
  // Join each docstring into one line without comment marks, to find phrases across line breaks.
  const docstrings = read(`src/${path}`).match(/\/\*\*.*?\*\//gs) ?? []
  const texts = docstrings.map((docstring) => docstring.replaceAll(/\s*\n\s*\*?\s*/g, ' '))
  expect(texts.flatMap((text) => found(text.slice(0, 60), text))).toEqual([])
})
