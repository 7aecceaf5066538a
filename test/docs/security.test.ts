import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/security.md', root), 'utf8')
const claims = [...page.matchAll(/`(test\/[^`]+)`((?:,? “[^”]+”)+)/g)].flatMap(([, file, titles]) =>
  [...titles!.matchAll(/“([^”]+)”/g)].map(([, title]) => [file!, title!] as const),
)

it('each threat names a test', () => {
  const rows = page.match(/^\| .*$/gm)!.filter((row) => !/^\| (-+|It (sends|does|says)|A client) /.test(row))
  expect(rows.length).toBeGreaterThan(25)
  for (const row of rows) expect(row, row).toMatch(/`test\/[^`]+` “/)
})

it.each(claims)('%s contains the test named in security.md: %s', (file, title) => {
  const path = new URL(file, root)
  expect(existsSync(path)).toBe(true)
  expect(readFileSync(path, 'utf8')).toContain(title)
})
