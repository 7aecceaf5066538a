import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { drawAll } from '../../docs/draw/index.ts'

const folder = new URL('../../docs/diagrams/', import.meta.url)

it('the committed diagrams match the current code (else: npm run docs:draw)', async () => {
  const files = readdirSync(folder)
  const committed = new Map(files.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]))
  const drawn = await drawAll()
  expect([...drawn.keys()].sort()).toEqual(files.sort())
  for (const [name, drawing] of drawn) expect(committed.get(name), name).toBe(drawing)
})
