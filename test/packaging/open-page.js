import assert from 'node:assert'
import { chromium } from 'playwright'
import { findChromium } from '../../scripts/find-chromium.js'

let browser

/** Opens a page with stopped time, passes it to `act`, and fails on errors of the page. */
export async function withPage(url, act) {
  browser ??= await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
  const page = await browser.newPage()
  const complaints = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  try {
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1000)
    await page.goto(url)
    await act(page)
    assert.deepStrictEqual(complaints, [])
  } finally {
    await page.close()
  }
}

export const closeBrowser = () => browser?.close()

/** Waits until React has hydrated an element, which handles no events before. */
export const untilHydrated = (page, selector) =>
  page.waitForFunction((selector) => {
    const element = document.querySelector(selector)
    return element && Object.keys(element).some((key) => key.startsWith('__reactProps'))
  }, selector)

/** Checks that five letters cause one run, 300 ms after the last. */
export async function expectDebounced(page) {
  const shown = async () => {
    const texts = await Promise.all(
      ['rested', 'saved', 'pending'].map((id) => page.locator(`#${id}`).textContent()),
    )
    return texts.join('|')
  }
  const input = page.getByLabel('Text')
  await untilHydrated(page, 'input')
  assert.strictEqual(await shown(), '||false')
  for (const letter of 'hello') {
    await input.press(letter)
    await page.clock.runFor(100)
  }
  assert.strictEqual(await shown(), '||true')
  await page.clock.runFor(199)
  assert.strictEqual(await shown(), '||true')
  await page.clock.runFor(1)
  assert.strictEqual(await shown(), 'hello|hello|false')
}
