import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import { expect, it } from 'vitest'
import type { DemoPage } from '../demo-page.ts'
import { open, screens } from '../page-fixture.ts'

const axeCode = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** How the page comes into a state, and stays in it. */
const states = {
  paused: ({ pause }: DemoPage) => pause('n', 60_000),
  async running({ page }: DemoPage) {
    const play = page.getByRole('button', { name: /^Play( again)?$/ })
    const pause = page.getByTestId('pause-bar').getByText('Server said wait').first()
    // On a slow machine, a race that plays by itself may end before the pause is seen.
    const isPaused = async (): Promise<boolean> => {
      if (await play.isVisible()) await play.click()
      return pause.isVisible()
    }
    await expect.poll(isPaused, { timeout: 60_000 }).toBe(true)
  },
}

it.each(
  screens.flatMap(([screen, options]) =>
    (['paused', 'running'] as const).map((state) => [screen, state, options] as const),
  ),
)('has no axe violations on %s while %s, in light and dark', async (_, state, options) => {
  const demo = await open(options)
  const { page, search } = demo
  await search('york')
  // The content security policy of the page forbids adding a script element.
  await page.evaluate(axeCode)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await states[state](demo)
    const violations = await page.evaluate(async () => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
      return violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) }))
    })
    expect([colorScheme, violations]).toEqual([colorScheme, []])
  }
})

it('does not announce the values beside sliders, one of which changes in each frame', async () => {
  const { page } = await open()
  const values = page.locator('output')
  expect(await values.count()).toBeGreaterThan(1)
  expect(await values.and(page.locator(':not([aria-live=off])')).count()).toBe(0)
})
