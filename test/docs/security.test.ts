import { expect, it } from 'vitest'
import { read } from './markdown.ts'

const page = read('docs/security.md')
const claims = [...page.matchAll(/`(test\/[^`]+)`((?:,? “[^”]+”)+)/g)].flatMap(([, file, titles]) =>
  [...titles!.matchAll(/“([^”]+)”/g)].map(([, title]) => [file!, title!] as const),
)

it('each threat names a test', () => {
  const rows = page.match(/^\| .*$/gm)!.filter((row) => !/^\| (-+|It (sends|does|says)|A client) /.test(row))
  expect(rows.length).toBeGreaterThan(25)
  for (const row of rows) expect(row, row).toMatch(/`test\/[^`]+` “/)
})

it.each(claims)('%s contains the test named in security.md: %s', (file, title) => {
  expect(read(file)).toContain(title)
})
