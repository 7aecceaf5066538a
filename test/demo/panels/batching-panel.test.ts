import { expect, it } from 'vitest'
import { screens, usePages } from '../page-fixture.ts'

const open = usePages()

it.each(screens)('sends items on %s in few calls, and returns a result for each', async (_, options) => {
  const { page, expectToFit, button, count } = await open(options, '#batch.wait=250&batch.maxSize=4')
  const counts = async () => ({
    items: await count('batch-items'),
    calls: await count('batch-calls'),
    returned: await count('batch-returned'),
  })
  await button('10 at once').click()
  // Two full batches are sent at once; the rest waits.
  await expect.poll(counts).toEqual({ items: 10, calls: 3, returned: 10 })
  await page.getByText('10 items → 3 calls', { exact: true }).waitFor()
  await page
    .getByTestId('batch-summary')
    .getByText('10 items → 3 calls, 10 returned.')
    .waitFor({ state: 'attached' })
  await button('Clear items').click()
  expect(await counts()).toEqual({ items: 0, calls: 0, returned: 0 })
  await expectToFit()
})

it('holds items while time is paused, and sends them on "Send now"', async () => {
  const { button, count } = await open({}, '#batch.maxSize=20')
  await button('Pause time').click()
  await button('Add one').click()
  await button('Add one').click()
  expect(await count('batch-calls')).toBe(0)
  await button('Send now').click()
  expect(await count('batch-calls')).toBe(1)
  expect(await count('batch-returned')).toBe(0)
  for (let ms = 0; ms < 300; ms += 100) await button('+100 ms').click()
  await expect.poll(() => count('batch-returned')).toBe(2)
})
