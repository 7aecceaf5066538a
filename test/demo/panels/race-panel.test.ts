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

it.each([1, 2, 3])('sends nothing into a pause and is refused less often, seed %i', async (seed) => {
  const demo = await open({}, `?autoplay=1&seed=${seed}`)
  await end(demo)
  const [retry, lull] = [countIn(demo, 'retry'), countIn(demo, 'lull')]
  expect(await lull('keystrokes')).toBe(await retry('keystrokes'))
  expect(await lull('intoPause')).toBe(0)
  expect(await lull('refused')).toBeLessThan(await retry('refused'))
  await demo.page.locator('[data-runner="lull"]').getByText('Shows “new york”').waitFor()
})

it('races the others, and sends nothing into a pause', async () => {
  const race = async (rival: string) => {
    const demo = await open()
    await demo.page.getByRole('radio', { name: rival, exact: true }).check({ force: true })
    await end(demo)
    // How often they send into a pause depends on the machine.
    expect(await countIn(demo, rival)('requests'), rival).toBeGreaterThan(0)
    expect(await countIn(demo, 'lull')('intoPause')).toBe(0)
  }
  await Promise.all(['ky', 'p-retry', 'axios-retry'].map(race))
})

it('plays by itself, and stops at the first key', async () => {
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
  ['where less motion is wanted', { reducedMotion: 'reduce' }, '?autoplay=1'],
] as const)('does not play by itself %s', async (_, options, query) => {
  const demo = await open(options, query)
  await demo.button('Play').waitFor()
  expect(await countIn(demo, 'lull')('keystrokes')).toBe(0)
})

it('copies its result as text and as a picture', async () => {
  const { page, button } = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
  await button('Copy result as text').click()
  await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toMatch(/^0 keystrokes.*\nfetch \+ retry: 0 requests.*\nlull: .*\nhttp.*#race$/)
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
])('is whole on the first screen at %i px, with both lanes', async (width, height) => {
  const { page } = await open({ viewport: { width, height } })
  const { y, height: tall } = (await page.getByRole('region', { name: /^Type fast/ }).boundingBox())!
  expect(y + tall).toBeLessThan(height)
})

/** The limits are those of a free machine: `npm run test:slow` asserts them, times its throttling of the CPU. */
it('plays to its end from load on, and says how soon it began and how long its longest task was', async () => {
  const { page } = await open()
  const url = new URL(page.url())
  url.searchParams.set('autoplay', '1')
  await page.goto(url.href)
  await page.waitForFunction(
    () => document.querySelector('[data-runner="lull"] [data-count="keystrokes"]')?.textContent !== '0',
  )
  const startMs = await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { tasks })
    const note = (list: PerformanceObserverEntryList) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration))
    new PerformanceObserver(note).observe({ type: 'longtask' })
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    return performance.now() - navigation!.loadEventStart
  })
  await page.getByTestId('race-end').getByText('Now try it yourself').waitFor({ timeout: 45_000 })
  const longestMs = Math.max(0, ...(await page.evaluate<number[]>('tasks')))
  console.info(`The race began ${Math.round(startMs)} ms after load; its longest task took ${longestMs} ms.`)
  const throttling = Number(process.env['LULL_CPU_THROTTLING'] ?? Infinity)
  expect(startMs).toBeLessThan(1000 * throttling)
  expect(longestMs).toBeLessThan(100 * throttling)
})
