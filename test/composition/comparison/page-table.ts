import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'oxfmt'
import { expect } from 'vitest'

const page = join(import.meta.dirname, '../../../docs/comparison.md')

export type Rows = Record<string, Record<string, string>>

/**
 * Expects the page to contain `rows` as a table between its two comments; `vitest -u` updates the page.
 * All rows have the same columns.
 */
export async function expectInPage(name: string, rows: Rows): Promise<void> {
  const columns = Object.keys(Object.values(rows)[0]!)
  const lines = [
    ['', ...columns],
    ['', ...columns].map(() => '-'),
    ...Object.entries(rows).map(([title, cells]) => [title, ...columns.map((column) => cells[column]!)]),
  ].map((cells) => `| ${cells.join(' | ')} |`)
  const [before, after] = [`<!-- table: ${name} -->`, '<!-- end -->']
  const [head, rest = ''] = readFileSync(page, 'utf8').split(before)
  const [, ...tail] = rest.split(after)
  expect(tail, 'a place for the table in the page').not.toHaveLength(0)
  const text = `${head}${before}\n\n${lines.join('\n')}\n\n${after}${tail.join(after)}`
  const { code } = await format(page, text)
  await expect(code).toMatchFileSnapshot(page)
}
