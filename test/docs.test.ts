import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const docs = new URL('../docs/', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, docs), 'utf8')
const pages = readdirSync(docs).filter((name) => name.endsWith('.md'))
const recipes = readdirSync(new URL('recipes/', docs)).map((name) => name.replace(/\.ts$/, ''))

it.each(recipes)('the recipe %s stands in the documentation as it is tested', (name) => {
  const block = `<!-- recipe: ${name} -->\n\n\`\`\`ts\n${read(`recipes/${name}.ts`)}\`\`\`\n`
  expect(pages.filter((page) => read(page).includes(block))).toHaveLength(1)
})

it.each(pages)('%s links to nothing that is not there', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path!)
  for (const path of links) expect(() => read(path), path).not.toThrow()
})
