import { expect, it } from 'vitest'
import { screens, usePages } from '../page-fixture.ts'

const open = usePages()

it.each(screens)('sends on %s what was added in few calls, and answers each item', async (_, options) => {
  const { page, expectToFit, button, count } = await open(options, '#batch.wait=250&batch.maxSize=4')
  const counts = async () => ({
    items: await count('batch-items'),
    calls: await count('batch-calls'),
    answered: await count('batch-answered'),
  })
  await button('10 at once').click()
  // Two are full, and leave at once; the rest waits.
  await expect.poll(counts).toEqual({ items: 10, calls: 3, answered: 10 })
  await page.getByText('10 items → 3 calls', { exact: true }).waitFor()
  await page
    .getByTestId('batch-summary')
    .getByText('10 items → 3 calls, 10 returned.')
    .waitFor({ state: 'attached' })
  await button('Clear items').click()
  expect(await counts()).toEqual({ items: 0, calls: 0, answered: 0 })
  await expectToFit()
})

it('holds items while time stands still, and sends them when told to', async () => {
  const { button, count } = await open({}, '#batch.maxSize=20')
  await button('Pause time').click()
  await button('Add one').click()
  await button('Add one').click()
  expect(await count('batch-calls')).toBe(0)
  await button('Send now').click()
  expect(await count('batch-calls')).toBe(1)
  expect(await count('batch-answered')).toBe(0)
  for (let ms = 0; ms < 300; ms += 100) await button('+100 ms').click()
  await expect.poll(() => count('batch-answered')).toBe(2)
})
