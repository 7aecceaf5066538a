import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

export const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** The pages, README first. Without the pages of `api`, which are generated from docstrings. */
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(new URL('docs/', root), { encoding: 'utf8', recursive: true })
    .filter((path) => path.endsWith('.md') && !/^(api|\.vitepress)\//.test(path))
    .map((path) => `docs/${path}`),
]

export interface Block {
  readonly place: string
  readonly language: string
  readonly code: string
  /** Whether it is a recipe, which is compiled and run as a file. */
  readonly isRecipe: boolean
}

export function blocksOf(page: string): Block[] {
  const text = read(page)
  return Array.from(
    text.matchAll(/(<!-- recipe: \S+ -->\n\n)?^(?:> )?```(\w+)\n(.*?)^(?:> )?```$/gms),
    (match) => ({
      place: `${page}:${text.slice(0, match.index).split('\n').length}`,
      language: match[2]!,
      code: match[3]!,
      isRecipe: match[1] !== undefined || match[3] === read('docs/recipes/start.tsx'),
    }),
  )
}
