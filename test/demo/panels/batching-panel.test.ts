import { expect, it } from 'vitest'
import { open, screens } from '../page-fixture.ts'

it.each(screens)(
  'sends items on %s in few calls, and returns a result for each as time passes',
  async (_, options) => {
    const { page, expectToFit, announces, button, count } = await open(options, '#batch.maxSize=4')
    const counts = async () => ({
      items: await count('batch-items'),
      calls: await count('batch-calls'),
      returned: await count('batch-returned'),
    })
    await button('Pause time').click()
    await button('10 at once').click()
    // Two full batches are sent at once; the rest waits.
    await expect.poll(counts).toEqual({ items: 10, calls: 2, returned: 0 })
    await button('Send now').click()
    await expect.poll(counts).toEqual({ items: 10, calls: 3, returned: 0 })
    await button('Play time').click()
    await expect.poll(counts).toEqual({ items: 10, calls: 3, returned: 10 })
    await page.getByText('10 items → 3 calls', { exact: true }).waitFor()
    await announces('10 items → 3 calls, 10 returned.')
    await button('Clear items').click()
    expect(await counts()).toEqual({ items: 0, calls: 0, returned: 0 })
    await expectToFit()
  },
)
