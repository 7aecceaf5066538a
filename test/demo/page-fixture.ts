import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchBrowser } from './browser.ts'
import { openDemo, type DemoPage } from './demo-page.ts'
import { startDemo } from './start-demo.ts'

/** One server and one browser for the tests of a file; each opens pages, whose consoles must stay silent. */
export function usePages(): (options?: BrowserContextOptions, query?: string) => Promise<DemoPage> {
  const opened: DemoPage[] = []
  let browser: Browser
  let demo: Awaited<ReturnType<typeof startDemo>>

  beforeAll(async () => {
    ;[demo, browser] = await Promise.all([startDemo(), launchBrowser()])
  }, 60_000)

  afterEach(async () => {
    const pages = opened.splice(0)
    await Promise.all(pages.map(({ page }) => page.close()))
    expect(pages.flatMap(({ problems }) => problems)).toEqual([])
  })

  afterAll(async () => {
    await browser.close()
    await demo.close()
  })

  return async (options = {}, query = '') => {
    const page = await openDemo(browser, demo.url + query, options)
    opened.push(page)
    return page
  }
}
