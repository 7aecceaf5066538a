import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { pixels, places } from '../canvas.ts'
import { open, phone } from '../page-fixture.ts'

// Longer than the default of 1 s: workloads take longer, and the machine may be busy.
const patience = { timeout: 15_000 }

async function openPanel(...options: Parameters<typeof open>) {
  const demo = await open(...options)
  const panel = demo.page.getByRole('region', { name: 'One input, every limit' })
  await panel.scrollIntoViewIfNeeded()
  return {
    ...demo,
    panel,
    hasSent: (count: number) =>
      demo.page.getByTestId('limit-sent').getByText(String(count), { exact: true }).waitFor(),
  }
}

const pixelsOf = (page: Page, row: string, color: string) =>
  pixels(
    page
      .getByRole('listitem')
      .filter({ has: page.getByTestId(`limit-${row}`) })
      .locator('canvas'),
    color,
  )

it('sends one request per click, and many while the button or its key is held', async () => {
  const { page, button, count } = await openPanel()
  await button('Send one').click()
  expect(await count('limit-sent')).toBe(1)
  const hold = button('Hold to send')
  await hold.focus()
  for (const key of ['Space', 'Enter']) {
    const before = await count('limit-sent')
    await page.keyboard.down(key)
    await expect.poll(() => count('limit-sent'), patience).toBeGreaterThan(before + 2)
    await page.keyboard.up(key)
  }
  await hold.hover()
  await page.mouse.down()
  const before = await count('limit-sent')
  await expect.poll(() => count('limit-sent'), patience).toBeGreaterThan(before + 2)
  // Release outside of the button.
  await page.mouse.move(5, 5)
  await page.mouse.up()
  await expect.poll(() => hold.getAttribute('aria-pressed'), patience).toBe('false')
  const after = await count('limit-sent')
  await button('Send one').click()
  expect(await count('limit-sent')).toBe(after + 1)
})

it('restarts when a slider changes, with the new limits, and plays its workload again', async () => {
  const { panel, button, hasSent, count } = await openPanel()
  await button('Send one').click()
  await panel.getByLabel('Rate').fill('5')
  expect(await count('limit-sent')).toBe(0)
  await panel.getByText('Each has a rate of 5 per second and a burst of 6; a window lasts 1.2 s.').waitFor()
  await panel.getByLabel('Burst').fill('4')
  await button('Burst of 10').click()
  await hasSent(10)
  for (const name of ['tokenBucket', 'gcra', 'leakyBucket']) expect(await count(`limit-${name}`)).toBe(4)
  await button('Twice the rate').click()
  await panel.getByLabel('Burst').fill('5')
  expect(await button('Twice the rate').getAttribute('aria-pressed')).toBe('true')
})

it('announces the allowed requests to screen readers after a while', async () => {
  const { page, panel, button, announces } = await openPanel()
  await button('Across a boundary').click()
  const words = 'Allowed of 12 requests: tokenBucket 7, gcra 7, leakyBucket 7, fixedWindow 12,'
  await announces(words)
  const row = panel.getByRole('listitem').filter({ has: page.getByTestId('limit-slidingWindowLog') })
  expect(await row.textContent()).toContain('6 of 12 allowed')
})

it.each([
  ['a phone', phone, 'light'],
  ['a desktop', {}, 'dark'],
] as const)(
  'draws admitted and refused requests on %s without a layout shift',
  async (_, size, colorScheme) => {
    const { page, panel, expectToFit, button, hasSent } = await openPanel({ ...size, colorScheme })
    const parts = 'h2, h3, p, input, button, canvas'
    const before = await places(panel, parts)
    expect(await pixelsOf(page, 'tokenBucket', 'ok')).toBe(0)
    await button('Across a boundary').click()
    await hasSent(12)
    // Canvases out of view are not drawn.
    await page.getByTestId('limit-tokenBucket').scrollIntoViewIfNeeded()
    await expect.poll(() => pixelsOf(page, 'tokenBucket', 'ok'), patience).toBeGreaterThan(20)
    await expect.poll(() => pixelsOf(page, 'tokenBucket', 'refused'), patience).toBeGreaterThan(5)
    await page.getByTestId('limit-fixedWindow').scrollIntoViewIfNeeded()
    await expect.poll(() => pixelsOf(page, 'fixedWindow', 'ok'), patience).toBeGreaterThan(20)
    expect(await pixelsOf(page, 'fixedWindow', 'refused')).toBe(0)
    expect(await places(panel, parts)).toEqual(before)
    await expectToFit()
  },
)
