import { expect, it } from 'vitest'
import type { DemoPage } from '../demo-page.ts'
import { usePages } from '../page-fixture.ts'

const open = usePages()

const countIn =
  ({ page }: DemoPage, runner: string) =>
  async (name: string) =>
    Number(await page.locator(`[data-runner="${runner}"] [data-count="${name}"]`).innerText())

const end = ({ page }: DemoPage) =>
  page.getByTestId('race-end').getByText('Now try it yourself').waitFor({ timeout: 45_000 })

it.each([1, 2, 3])('sends nothing during a pause and is refused less often, stream %i', async (seed) => {
  const demo = await open({}, `?autoplay=1&seed=${seed}`)
  await end(demo)
  const [retry, lull] = [countIn(demo, 'retry'), countIn(demo, 'lull')]
  expect(await lull('keystrokes')).toBe(await retry('keystrokes'))
  expect(await lull('intoPause')).toBe(0)
  expect(await lull('refused')).toBeLessThan(await retry('refused'))
  await demo.page.locator('[data-runner="lull"]').getByText('Shows “new york”').waitFor()
})

it('sends nothing during a pause in races against the other libraries', async () => {
  const race = async (rival: string) => {
    const demo = await open()
    await demo.page.getByRole('radio', { name: rival, exact: true }).check({ force: true })
    await end(demo)
    // How often the others send during a pause depends on the machine.
    expect(await countIn(demo, rival)('requests'), rival).toBeGreaterThan(0)
    expect(await countIn(demo, 'lull')('intoPause')).toBe(0)
  }
  await Promise.all(['ky', 'p-retry', 'axios-retry'].map(race))
})

it('plays automatically, and stops at the first key', async () => {
  const demo = await open({}, '?autoplay=1')
  const { page, button } = demo
  await expect.poll(() => countIn(demo, 'lull')('keystrokes')).toBeGreaterThan(0)
  await page.keyboard.press('Shift')
  await button('Play again').waitFor()
  const typed = await countIn(demo, 'lull')('keystrokes')
  await page.getByTestId('race-end').getByText('Stopped').waitFor()
  expect(await countIn(demo, 'lull')('keystrokes')).toBe(typed)
})

it.each([
  ['with autoplay=0', {}, '?autoplay=0'],
  ['under reduced motion', { reducedMotion: 'reduce' }, '?autoplay=1'],
] as const)('does not play automatically %s', async (_, options, query) => {
  const demo = await open(options, query)
  await demo.button('Play').waitFor()
  expect(await countIn(demo, 'lull')('keystrokes')).toBe(0)
})

it('copies its result as text and as a picture, once there is one', async () => {
  const demo = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
  const { page, button } = demo
  expect(await button('Copy result as text').isVisible()).toBe(false)
  await button('Play').click()
  await end(demo)
  await button('Copy result as text').click()
  await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toMatch(
    /^\d+ keystrokes.*\nfetch \+ retry: \d+ requests.*\nlull: .*\nlull waits.*\nhttp.*#race$/,
  )
  await button('Copy picture of the result').click()
  await expect
    .poll(() => page.evaluate(async () => (await navigator.clipboard.read()).flatMap(({ types }) => types)), {
      timeout: 15_000,
    })
    .toContain('image/png')
})

it.each([
  [1440, 900],
  [1280, 800],
])('fits the first screen at %i px with both lanes', async (width, height) => {
  const { page } = await open({ viewport: { width, height } })
  const { y, height: tall } = (await page.getByRole('region', { name: /^Type fast/ }).boundingBox())!
  expect(y + tall).toBeLessThan(height)
})

/** The limits are for an idle machine. `npm run test:slow` asserts them, multiplied by its CPU throttling. */
it('plays to its end after load, and logs its start and its longest task', async () => {
  const { page } = await open()
  const url = new URL(page.url())
  url.searchParams.set('autoplay', '1')
  await page.addInitScript(() => {
    const tasks: PerformanceEntry[] = []
    Object.assign(globalThis, { tasks })
    const record = (list: PerformanceObserverEntryList) => void tasks.push(...list.getEntries())
    new PerformanceObserver(record).observe({ type: 'longtask' })
  })
  await page.goto(url.href)
  await page.waitForFunction(
    () => document.querySelector('[data-runner="lull"] [data-count="keystrokes"]')?.textContent !== '0',
  )
  const [loadedAt, startedAt] = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    return [navigation!.loadEventStart, performance.now()]
  })
  await page.getByTestId('race-end').getByText('Now try it yourself').waitFor({ timeout: 45_000 })
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
