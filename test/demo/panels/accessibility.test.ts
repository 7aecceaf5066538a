import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { expect, it } from 'vitest'
import type { DemoPage } from '../demo-page.ts'
import { usePages } from '../page-fixture.ts'

const open = usePages()
const axeCode = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const sizes = {
  'a desktop': { width: 1280, height: 800 },
  'a phone': { width: 390, height: 844 },
}

const states = {
  async paused({ type, shows, refuse, countdown }: DemoPage) {
    await type('york')
    await shows('york')
    await refuse()
    await type(' n')
    await countdown.getByText('Next try in').waitFor()
  },
  async running({ page, button }: DemoPage) {
    await button('Play').click()
    await page.getByTestId('pause-bar').getByText('Server said wait').first().waitFor()
  },
}

it.each(
  Object.entries(sizes).flatMap(([size, viewport]) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      (['paused', 'running'] as const).map((state) => [size, colorScheme, state, viewport] as const),
    ),
  ),
)('has no axe violations on %s in %s while %s', async (_, colorScheme, state, viewport) => {
  const demo = await open({ colorScheme, viewport })
  await states[state](demo)
  // Folded parts are not checked.
  await demo.page.evaluate(() => document.querySelectorAll('details').forEach((part) => (part.open = true)))
  // The content security policy of the page forbids adding a script element.
  await demo.page.evaluate(axeCode)
  const violations = await demo.page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
    return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) }))
  })
  expect(violations).toEqual([])
})
