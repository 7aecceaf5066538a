import { expect, it } from 'vitest'
import { countDrawings, pixels, places } from '../canvas.ts'
import { open, phone } from '../page-fixture.ts'

it('fits phones and desktops in every state, each button inside its card', async () => {
  const { page, alert, type, expectToFit, search, pause } = await open(phone)
  async function expectEverywhere(): Promise<void> {
    for (const width of [320, 390, 720, 800, 1280, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      await expectToFit()
    }
  }
  await expectEverywhere()
  await search('santa cruz de')
  await expectEverywhere()
  await page.route('**/api/search*', (route) => route.abort())
  await type(' la')
  await alert.waitFor()
  await expectEverywhere()
  await page.unroute('**/api/search*')
  await pause(' p', 60_000)
  await expectEverywhere()
})

it('has links that are large enough to tap, and text of the size that the reader has set', async () => {
  const { page } = await open()
  const links = await page
    .locator('a')
    .evaluateAll((all) => all.map((link) => link.getClientRects()[0]!.height))
  expect(Math.min(...links)).toBeGreaterThanOrEqual(24)
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '125%'))
  expect(
    await page
      .locator('.note')
      .first()
      .evaluate((note) => getComputedStyle(note).fontSize),
  ).toBe('26px')
})

it('shows chosen and active elements under forced colours', async () => {
  const { page, search } = await open({ forcedColors: 'active' })
  await search('oslo')
  // Forced colours set every background to the page's.
  const background = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor)
  const plain = await background('.choice label:not(:has(:checked))')
  for (const selector of ['.choice label:has(:checked)', '.lamp', '.track span', '.window-steps .is-on'])
    expect(await background(selector), selector).not.toBe(plain)
})

it('fits the box, the panel and the timeline on one desktop screen', async () => {
  const { page, box } = await open()
  const top = (await page.locator('#try').boundingBox())!.y
  const timeline = page.getByRole('img', { name: 'The last 12 seconds' })
  for (const part of [box, page.getByTestId('gate'), timeline]) {
    const { y, height } = (await part.boundingBox())!
    expect(y + height - top).toBeLessThan(800)
  }
})

it('has no layout shift when results or a pause appear', async () => {
  const { page, box, type, shows, pause } = await open()
  await page.evaluate(() => {
    interface Shift extends PerformanceEntry {
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    const moved: string[] = []
    Object.assign(globalThis, { moved })
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as Shift[]) {
        // An element whose text changes is listed although its start or its end has not moved.
        for (const { node, previousRect: from, currentRect: to } of sources) {
          if ((from.left !== to.left && from.right !== to.right) || from.y !== to.y)
            moved.push(node?.parentElement?.outerHTML ?? '?')
        }
      }
    }).observe({ type: 'layout-shift' })
  })
  // York becomes the first result: the row changes its text and does not move.
  for (const part of ['yo', 'rk']) {
    await type(part)
    await shows(await box.inputValue())
  }
  await pause(' n')
  await shows('york n')
  expect(await page.evaluate('moved')).toEqual([])
})

it.each([
  ['a narrow phone', { width: 360, height: 740 }, 'none'],
  ['a tablet', { width: 800, height: 1000 }, 'both'],
  ['a desktop', { width: 1280, height: 800 }, 'both'],
] as const)('has no layout shift on %s while calls are sent and refused', async (_, viewport, headers) => {
  const { page, button, changeServer, refuse, expectToFit } = await open({ viewport })
  await changeServer({ ratePerSecond: 10, burst: 5, headers })
  const parts = 'h2, h3, dt, dd, canvas, button, [data-testid=countdown]'
  const before = await places(page.locator('main'), parts)
  await refuse()
  await button('Send 60 calls').click()
  for (const step of ['none in flight', /at most \d+/]) {
    await page.getByTestId('window').getByText(step).waitFor({ state: 'attached' })
    expect(await places(page.locator('main'), parts)).toEqual(before)
    await expectToFit()
  }
  await button('Stop sending').click()
  await page.getByTestId('gate').getByText('Open').waitFor()
  expect(await places(page.locator('main'), parts)).toEqual(before)
})

it('follows the colour scheme, and draws its marks in both schemes', async () => {
  const { page, search } = await open({ colorScheme: 'dark' })
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const marks = () => pixels(page.locator('.timeline canvas').first(), 'keystroke')
  await search('ulm')
  expect(await background()).toBe('rgb(14, 21, 28)')
  expect(await marks()).toBeGreaterThan(10)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(marks).toBeGreaterThan(10)
  expect(await background()).toBe('rgb(242, 245, 247)')
})

it('draws only while something moves, and once a second under reduced motion', async () => {
  const { page, search } = await open()
  const drawings = (ms: number) => countDrawings(page, '.timeline canvas', ms)
  expect(await drawings(300)).toBe(0)
  await search('ulm')
  expect(await drawings(1000)).toBeGreaterThan(3)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await drawings(100)
  expect(await drawings(500)).toBeLessThanOrEqual(1)
})

it('opens a linked panel below the bar of time, which is in the way only on a high screen', async () => {
  const { page, button } = await open({}, '#batching')
  await button('Pause time').click()
  await page.getByRole('group', { name: 'Time of the panels below' }).getByText('Time is paused.').waitFor()
  const bar = page.locator('.time-bar')
  await page.locator('#batching').evaluate((panel) => panel.scrollIntoView())
  const { y, height } = (await bar.boundingBox())!
  expect(y).toBe(0)
  expect((await page.locator('#batching').boundingBox())!.y).toBeGreaterThanOrEqual(height)
  await page.setViewportSize({ width: 320, height: 256 })
  expect(await bar.evaluate((element) => getComputedStyle(element).position)).toBe('static')
})

it('shows the focus outline', async () => {
  const { page, box, button } = await open()
  await box.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const focused = await button('Refuse for 3 s').evaluate((element) => ({
    isActive: element === document.activeElement,
    outline: getComputedStyle(element).outlineStyle,
  }))
  expect(focused).toEqual({ isActive: true, outline: 'solid' })
})

it('has a table of counts for screen readers, and the attribution of the cities', async () => {
  const { page, search } = await open()
  await search('graz')
  const table = page.getByRole('table', { name: 'What has happened so far' })
  await table.getByRole('row', { name: 'Keystrokes 4', exact: true }).waitFor({ state: 'attached' })
  // Firefox shows the caption of a clipped table.
  expect(await page.locator('.visually-hidden caption').count()).toBe(0)
  expect(await page.getByRole('contentinfo').innerText()).toContain('© GeoNames')
  await page.getByRole('link', { name: 'CC BY 4.0' }).waitFor()
})

it('scrolls the search to the top of a phone on focus: the keyboard does not cover an error', async () => {
  const { page } = await open(phone)
  await page.route('**/search?*', (route) => route.abort())
  await page.getByLabel('Search cities').fill('ber')
  const { y, height } = (await page.getByRole('alert').boundingBox())!
  expect(y + height).toBeLessThan(844 / 2)
})
