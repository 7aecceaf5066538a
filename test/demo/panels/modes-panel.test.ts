import { expect, it } from 'vitest'
import { open, screens } from '../page-fixture.ts'

const lanes = ['raw', 'leading', 'trailing', 'both', 'maxWait', 'throttle', 'frame']

async function openPanel(...options: Parameters<typeof open>) {
  const demo = await open(...options)
  const panel = demo.page.getByRole('region', { name: 'One input, every mode' })
  await panel.scrollIntoViewIfNeeded()
  const playhead = panel.getByLabel('Playhead')
  return {
    ...demo,
    panel,
    playhead,
    runs: async () =>
      Object.fromEntries(
        await Promise.all(lanes.map(async (lane) => [lane, await demo.count(`mode-${lane}`)] as const)),
      ),
    /** Waits until the playhead is at the end. */
    rests: () =>
      panel
        .locator('output')
        .filter({ hasText: /^([\d.]+) s of \1 s$/ })
        .waitFor(),
  }
}

it.each(screens)('records typing on %s, and recomputes it with another wait', async (_, options) => {
  // A long wait, so that even a busy machine types faster.
  const { expectToFit, announces, panel, playhead, button, runs, rests } = await openPanel(
    options,
    '#modes.wait=2000',
  )
  const field = panel.getByLabel('Type here')
  await field.press('h')
  // On a busy machine two keys may come in one task, at the same instant.
  await panel
    .locator('output')
    .filter({ hasText: /^(?!0\.00)[\d.]+ s of / })
    .waitFor()
  await field.pressSequentially('ello', { delay: 50 })
  await playhead.press('End')
  await rests()
  expect(await runs()).toMatchObject({ raw: 5, leading: 1, trailing: 1, both: 2 })
  await announces('Runs for 5 events: leading 1, trailing 1')

  await panel.getByLabel('wait', { exact: true }).fill('0')
  await expect.poll(runs).toMatchObject({ raw: 5, leading: 5, trailing: 5, throttle: 5 })
  await panel.getByLabel('wait', { exact: true }).fill('2000')
  await expect.poll(runs).toMatchObject({ raw: 5, leading: 1, trailing: 1, both: 2 })

  // The playhead works with the keyboard.
  await playhead.press('Home')
  await expect.poll(runs).toMatchObject({ raw: 1, trailing: 0 })
  await playhead.press('End')
  await expect.poll(runs).toMatchObject({ raw: 5, trailing: 1 })
  await button('Replay').click()
  await rests()
  expect(await runs()).toMatchObject({ raw: 5, trailing: 1 })
  await panel.getByRole('button', { name: 'Clear' }).click()
  expect(await runs()).toMatchObject({ raw: 0, frame: 0 })
  await expectToFit()
})

it('records pointer moves over its area', async () => {
  const { page, panel, count } = await openPanel()
  const { x, y, width } = (await panel.getByText('or move here').boundingBox())!
  await page.mouse.move(x + 5, y + 20)
  await page.mouse.move(x + width - 5, y + 20, { steps: 10 })
  await expect.poll(() => count('mode-raw')).toBeGreaterThan(5)
})

it('plays 10,000 events, and shows all of them', async () => {
  const { panel, button, count, rests } = await openPanel()
  await button('10,000 events in 10 s').click()
  expect(await panel.getByLabel('show all of it').isChecked()).toBe(true)
  await expect.poll(() => count('mode-raw'), { timeout: 15_000 }).toBeGreaterThan(1000)
  await panel.getByLabel('Playhead').press('End')
  await rests()
  expect(await count('mode-raw')).toBe(10_000)
  // The events have no pause; throttled they run every 300 ms, and once for the last event.
  expect(await count('mode-trailing')).toBe(1)
  expect(await count('mode-throttle')).toBe(35)
})

it('follows the time of the panels when it is paused, stepped and resumed', async () => {
  const { page, panel, button, runs, rests } = await openPanel()
  await button('Pause time').click()
  await panel.getByLabel('Type here').fill('abc')
  await expect.poll(runs).toMatchObject({ raw: 1, leading: 1, trailing: 0, throttle: 1, frame: 0 })
  await button('+100 ms').click()
  await expect.poll(runs).toMatchObject({ trailing: 0, frame: 1 })
  await button('+100 ms').click()
  await button('+100 ms').click()
  await expect.poll(runs).toMatchObject({ trailing: 1 })
  expect(await panel.locator('output').last().innerText()).toBe('0.30 s of 1.70 s')
  await page.getByRole('radio', { name: '0.1×' }).check({ force: true })
  await button('Play time').click()
  await page.getByRole('radio', { name: '1×', exact: true }).check({ force: true })
  await rests()
})
