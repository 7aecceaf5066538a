import { expect, it } from 'vitest'
import { open, screens } from '../page-fixture.ts'

it.each(screens)('calls on %s until stopped, with fewer refused than served calls', async (_, options) => {
  const { page, expectToFit, announces, button, count } = await open(options)
  await button('Start calling').click()
  await expect.poll(() => count('adaptive-served'), { timeout: 15_000 }).toBeGreaterThan(30)
  expect(await page.getByTestId('adaptive-used').innerText()).toMatch(/^\d+ %$/)
  await button('Stop calling').click()
  const [served, refused] = [await count('adaptive-served'), await count('adaptive-refused')]
  expect(refused).toBeLessThan(served)
  await announces(`Served ${served}, refused ${refused}`)
  await expectToFit()
})
