import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { expect } from 'vitest'
import type { Settings } from '../../demo/server/api.ts'

export type DemoPage = Awaited<ReturnType<typeof openDemo>>

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

/** Opens the demo in a browser. */
export async function openDemo(browser: Browser, url: string, options: BrowserContextOptions) {
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

  const countdown = page.getByTestId('countdown')
  /** Types after the current text, at a human pace. */
  async function type(text: string) {
    // Browsers differ in the position of the caret after a refocus.
    await box.press('End')
    await box.pressSequentially(text, { delay: 70 })
  }
  /** Resolves when the results for exactly `text` are shown, and checks that the box contains it. */
  async function shows(text: string) {
    await page.locator(`[data-query="${text}"][aria-busy="false"]`).waitFor({ state: 'attached' })
    expect(await box.inputValue()).toBe(text)
  }
  /** Makes the server refuse for 3 s, or for `ms`, so that a busy machine sees the pause. Resolves after its confirmation. */
  async function refuse(ms?: number) {
    if (ms)
      await page.route('**/refuse*', (route) => route.continue({ postData: JSON.stringify({ ms }) }), {
        times: 1,
      })
    const done = page.waitForResponse((response) => response.url().includes('/refuse') && response.ok())
    await button('Refuse for 3 s').click()
    await done
  }

  return {
    page,
    box,
    list: page.getByRole('list', { name: 'Cities' }),
    alert: page.getByRole('alert'),
    countdown,
    button,
    count: async (id: string) => Number((await page.getByTestId(id).innerText()).replace(',', '')),
    /** The queries of all search requests, in order. */
    sent,
    /** The searches that have a response, at instants of the page's `performance.now()`. */
    timings: () => page.evaluate(readTimings),
    type,
    shows,
    refuse,
    /** Types `text`, and resolves when its results are shown. */
    search: async (text: string) => {
      await type(text)
      await shows(text)
    },
    /** Makes the server refuse a search after typing `text`, and resolves when the pause is shown. */
    pause: async (text: string, ms?: number) => {
      await refuse(ms)
      await type(text)
      await countdown.getByText('Next try in').waitFor()
    },
    /** Changes the server's settings for the page. Resolves after they are saved. */
    changeServer: async ({ ratePerSecond, burst, headers }: Partial<Settings>) => {
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
    /** Resolves when screen readers are told this. */
    announces: (words: string) => page.getByRole('status').getByText(words).waitFor({ state: 'attached' }),
    /** Clicks a button that copies, and returns the text of the clipboard. */
    copied: async (name: string) => {
      await button(name).click()
      await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
      return page.evaluate(() => navigator.clipboard.readText())
    },
    /** Checks that nothing is wider than the window, and no button wider than its card. */
    expectToFit: async () => {
      const { over, outside } = await page.evaluate(() => ({
        over: document.documentElement.scrollWidth - innerWidth,
        outside: [...document.querySelectorAll('.card button')].flatMap((button) => {
          const card = button.closest('.card')!
          const end = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight)
          return button.getBoundingClientRect().right > end ? [button.outerHTML] : []
        }),
      }))
      expect([over, outside]).toEqual([0, []])
    },
    /** Console errors and warnings, and uncaught errors. */
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

function readTimings() {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return entries
    .filter(({ name }) => new URL(name).pathname === '/api/search')
    .map(({ startTime, responseStart, responseStatus }) => ({
      sentAt: startTime,
      answeredAt: responseStart,
      status: responseStatus,
    }))
}
