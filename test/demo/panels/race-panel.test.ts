import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { recordedTexts, recordTexts } from '../record-texts.ts'
import type { DemoPage } from '../demo-page.ts'
import { open, screens } from '../page-fixture.ts'

const countIn =
  ({ page }: DemoPage, runner: string) =>
  async (name: string) =>
    Number(await page.locator(`[data-runner="${runner}"] [data-count="${name}"]`).innerText())

const keys = (page: Page) => page.locator('[data-runner="lull"] .track-key')

const end = ({ page }: DemoPage) =>
  page.getByTestId('race-end').getByText('Now try it yourself').waitFor({ timeout: 45_000 })

it('sends nothing during a pause in races against the other libraries', async () => {
  const race = async (rival: string) => {
    const demo = await open()
    await demo.page.getByRole('radio', { name: rival, exact: true }).check({ force: true })
    await demo.button('Play').click()
    await end(demo)
    const count = countIn(demo, rival)
    const outcomes = await Promise.all(['refused', 'answered', 'cancelled'].map(count))
    // How often the others send during a pause depends on the machine.
    expect(await count('requests'), rival).toBeGreaterThan(0)
    expect(outcomes.reduce((a, b) => a + b)).toBe(await count('requests'))
    expect(await countIn(demo, 'lull')('intoPause')).toBe(0)
  }
  await Promise.all(['ky', 'p-retry', 'axios-retry'].map(race))
})

it('plays automatically, until an input outside of it gets the focus', async () => {
  const { page, button, box } = await open({}, '?autoplay=1')
  await keys(page).first().waitFor({ state: 'attached' })
  await page.keyboard.press('Shift')
  await page.getByRole('heading', { level: 1 }).click()
  await page.getByRole('radio', { name: 'ky', exact: true }).focus()
  expect(await button('Stop').isVisible()).toBe(true)
  await box.focus()
  await page.getByTestId('race-end').getByText('Stopped').waitFor()
  const typed = await keys(page).count()
  await button('Play again').waitFor()
  expect(await keys(page).count()).toBe(typed)
})

it('plays automatically only once the page is visible', async () => {
  const { page } = await open()
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  })
  await page.goto(page.url().replace('autoplay=0', 'autoplay=1'))
  const end = page.getByTestId('race-end')
  expect(await end.innerText()).toBe('Press Play: someone types six cities, in 10 s.')
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: false })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await keys(page).first().waitFor({ state: 'attached' })
})

it('chooses the other library without a start, and says how it waits', async () => {
  const { page, button } = await open()
  await page.getByRole('radio', { name: 'fetch + retry' }).press('ArrowRight')
  await page.getByText('ky, which reads Retry-After too').waitFor()
  await page.getByRole('region', { name: 'Lane of ky' }).waitFor()
  expect(await button('Play').isVisible()).toBe(true)
})

it.each([
  ['with autoplay=0', {}, '?autoplay=0'],
  ['under reduced motion', { reducedMotion: 'reduce' }, '?autoplay=1'],
] as const)('does not play automatically %s', async (_, options, query) => {
  const { page, button } = await open(options, query)
  await button('Play').waitFor()
  await page.getByText('Press Play').waitFor()
  expect(await keys(page).count()).toBe(0)
})

it('copies its result as text and as a picture, and keeps its height', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  /** A race on one screen. The pages share a clipboard, so they copy one after the other. */
  async function race(options: (typeof screens)[number][1]): Promise<DemoPage> {
    const demo = await open({ ...options, permissions })
    const { page, button } = demo
    expect(await button('Copy result as text').isVisible()).toBe(false)
    const height = async () => (await page.locator('#race').boundingBox())!.height
    const before = await height()
    await button('Play').click()
    await end(demo)
    expect(await height()).toBe(before)
    return demo
  }
  for (const { page, button, copied } of await Promise.all(screens.map(([, options]) => race(options)))) {
    expect(await copied('Copy result as text')).toMatch(
      /^\d+ keystrokes.*\nfetch \+ retry: \d+ requests.*\nlull: .*\nlull waits.*\nhttp.*#race$/,
    )
    await recordTexts(page, '.race-end')
    await button('Copy picture of the result').click()
    const types = () =>
      page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types))
    await expect.poll(types, { timeout: 15_000 }).toContain('image/png')
    expect((await recordedTexts(page)).join()).toContain('Copying…')
  }
})

it.each([
  [1440, 900],
  [1280, 800],
])('fits the first screen at %i px with both lanes', async (width, height) => {
  const { page } = await open({ viewport: { width, height } })
  const { y, height: tall } = (await page.getByRole('region', { name: /^Type fast/ }).boundingBox())!
  expect(y + tall).toBeLessThan(height)
})

/** A race takes 10 s of real time, whatever its stream. `npm run test:slow` runs three streams. */
const streams = process.env['LULL_CPU_THROTTLING'] ? [1, 2, 3] : [1]

// Logs the start and the longest task. `npm run test:slow` asserts limits for an idle machine, multiplied by its CPU throttling.
it.each(streams)('plays stream %i: sends nothing during a pause, is not refused more often', async (seed) => {
  const demo = await open()
  const { page } = demo
  const url = new URL(page.url())
  url.search = `?autoplay=1&seed=${seed}`
  await page.addInitScript(() => {
    const tasks: PerformanceEntry[] = []
    Object.assign(globalThis, { tasks })
    const record = (list: PerformanceObserverEntryList) => void tasks.push(...list.getEntries())
    new PerformanceObserver(record).observe({ type: 'longtask' })
  })
  await page.goto(url.href)
  await page.waitForFunction(() => document.querySelector('[data-runner="lull"] .track-key'))
  const [loadedAt, startedAt] = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    return [navigation!.loadEventStart, performance.now()]
  })
  await end(demo)
  const [retry, lull] = [countIn(demo, 'retry'), countIn(demo, 'lull')]
  expect(await lull('intoPause')).toBe(0)
  // On a slow machine fewer keys come at once, and each lane may be refused only once.
  expect(await lull('refused')).toBeLessThanOrEqual(await retry('refused'))
  await page.locator('[data-runner="lull"]').getByText('Shows “new york”').waitFor()
  const longestMs = await page.evaluate((from) => {
    const { tasks } = globalThis as unknown as { tasks: PerformanceEntry[] }
    const playing = tasks.filter(({ startTime, duration }) => startTime + duration > from)
    return Math.max(0, ...playing.map(({ duration }) => duration))
  }, startedAt)
  const startMs = startedAt - loadedAt
  console.info(`The race began ${Math.round(startMs)} ms after load; its longest task took ${longestMs} ms.`)
  const throttling = Number(process.env['LULL_CPU_THROTTLING'] ?? Infinity)
  expect(startMs).toBeLessThan(1000 * throttling)
  expect(longestMs).toBeLessThan(100 * throttling)
})
