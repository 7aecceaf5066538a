import { readdirSync, readFileSync } from 'node:fs'
import { format } from 'node:util'
import { expect, it, vi } from 'vitest'

const folder = new URL('../../docs/recipes/functions/', import.meta.url)
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length))

it.each(names)('the example %s prints the output in its comments', async (name) => {
  const code = readFileSync(new URL(`${name}.ts`, folder), 'utf8')
  const expected = [...code.matchAll(/^\s*\/\/ → (.*)$/gm)].map(([, line]) => line)
  const printed: string[] = []
  vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => void printed.push(format(...values)))
  await import(`../../docs/recipes/functions/${name}.ts`)
  expect(printed).toEqual(expected)
  expect(printed).not.toEqual([])
})
