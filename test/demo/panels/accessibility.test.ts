import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { expect, it } from 'vitest'
import { usePages } from '../page-fixture.ts'

const open = usePages()
const axeCode = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const sizes = {
  'a desktop': { width: 1280, height: 800 },
  'a phone': { width: 390, height: 844 },
}

it.each(
  Object.entries(sizes).flatMap(([size, viewport]) =>
    (['light', 'dark'] as const).map((colorScheme) => [size, colorScheme, viewport] as const),
  ),
)('has nothing on %s in %s that axe finds wrong', async (_, colorScheme, viewport) => {
  const { page, type, shows, refuse, countdown } = await open({ colorScheme, viewport })
  await type('york')
  await shows('york')
  await refuse()
  await type(' n')
  await countdown.getByText('Next try in').waitFor()
  // The page's policy lets nobody add a script to it.
  await page.evaluate(axeCode)
  const violations = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) }))
  })
  expect(violations).toEqual([])
})
