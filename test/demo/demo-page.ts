import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Settings } from '../../demo/server/api.ts'

/** A search as recorded by the browser. Instants are those of its `performance.now()`, in ms. */
interface SearchTiming {
  query: string
  sentAt: number
  answeredAt: number
  status: number
}

/** The demo in a browser, with helpers for tests. */
export interface DemoPage {
  page: Page
  box: Locator
  list: Locator
  alert: Locator
  countdown: Locator
  button: (name: string) => Locator
  count: (id: string) => Promise<number>
  /** The queries of all search requests, in order. */
  sent: string[]
  /** The searches that have a response. */
  timings: () => Promise<SearchTiming[]>
  /** Types after the current text, at a human pace. */
  type: (text: string) => Promise<void>
  /** Makes the server refuse for 3 s, or for `ms`, so that a busy machine sees the pause. Resolves after its confirmation. */
  refuse: (ms?: number) => Promise<void>
  /** Changes the server's settings for the page. Resolves after they are saved. */
  changeServer: (changes: Partial<Settings>) => Promise<void>
  /** Resolves when the results for exactly `text` are shown, and checks that the box contains it. */
  shows: (text: string) => Promise<void>
  /** Checks that nothing is wider than the window. */
  expectToFit: () => Promise<void>
  /** Console errors and warnings, and uncaught errors. */
  problems: string[]
}

/** Throttles the CPU by the factor of `LULL_CPU_THROTTLING`, for `npm run test:slow`; what is waited for may take as much longer. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['LULL_CPU_THROTTLING'] ?? 1)
  page.setDefaultTimeout(15_000 * rate)
  // The first load of an unbundled page is hundreds of modules.
  page.setDefaultNavigationTimeout(45_000 * rate)
  if (rate === 1) return
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

export async function openDemo(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
): Promise<DemoPage> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options })
  // The many modules of an unbundled page would fill the default buffer.
  await page.addInitScript(() => performance.setResourceTimingBufferSize(5000))
  await slowDown(page)
  const sent = recordSearches(page)
  const problems = recordProblems(page)

  const box = page.getByRole('searchbox', { name: 'Search cities' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const address = new URL(url)
  // The race would send more searches.
  if (!address.searchParams.has('autoplay')) address.searchParams.set('autoplay', '0')
  await page.goto(address.href)
  // The server is ready when the page shows the attribution of its data.
  await page.getByRole('contentinfo').getByRole('link').first().waitFor()

  await page.evaluate(() => document.querySelectorAll('details').forEach((fold) => (fold.open = true)))

  return {
    page,
    box,
    list: page.getByRole('list', { name: 'Cities' }),
    alert: page.getByRole('alert'),
    countdown: page.getByTestId('countdown'),
    button,
    count: async (id) => Number(await page.getByTestId(id).innerText()),
    sent,
    timings: () => page.evaluate(readTimings),
    async type(text) {
      // Browsers differ in the position of the caret after a refocus.
      await box.press('End')
      await box.pressSequentially(text, { delay: 70 })
    },
    async refuse(ms) {
      if (ms)
        await page.route('**/refuse*', (route) => route.continue({ postData: JSON.stringify({ ms }) }), {
          times: 1,
        })
      const done = page.waitForResponse((response) => response.url().includes('/refuse') && response.ok())
      await button('Refuse for 3 s').click()
      await done
    },
    async changeServer({ ratePerSecond, burst, headers }) {
      const settings = { Rate: ratePerSecond, Burst: burst, 'How the server names its limit': headers }
      for (const [label, value] of Object.entries(settings)) {
        const panel = page.getByRole('region', { name: 'The server', exact: true })
        const control = panel.getByLabel(label, { exact: true })
        // An unchanged value sends no request.
        if (value === undefined || (await control.inputValue()) === String(value)) continue
        const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
        await (typeof value === 'number' ? control.fill(String(value)) : control.selectOption(value))
        await saved
      }
      await page.evaluate(() => scrollTo(0, 0))
    },
    async shows(text) {
      await page.locator(`[data-query="${text}"][aria-busy="false"]`).waitFor({ state: 'attached' })
      expect(await box.inputValue()).toBe(text)
    },
    async expectToFit() {
      const [needed, given] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      expect(needed).toBe(given)
    },
    problems,
  }
}

function recordSearches(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/search' && !searchParams.get('client')?.includes('-race-'))
      sent.push(searchParams.get('q')!)
  })
  return sent
}

function recordProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    // Chromium logs this for a status of 400 or more, and for a missing response.
    const isNetwork = message.text().startsWith('Failed to load resource:')
    if (['error', 'warning'].includes(message.type()) && !isNetwork) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  return problems
}

/** Runs in the page. Reads the searches from its resource timings. */
function readTimings(): SearchTiming[] {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return entries
    .map((entry) => ({ entry, url: new URL(entry.name) }))
    .filter(({ url }) => url.pathname === '/api/search')
    .map(({ entry, url }) => ({
      query: url.searchParams.get('q')!,
      sentAt: entry.startTime,
      answeredAt: entry.responseStart,
      status: entry.responseStatus,
    }))
}
