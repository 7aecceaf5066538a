import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { launchBrowser } from './browser.ts'
import { openDemo, type DemoPage } from './demo-page.ts'

export const phone = { viewport: { width: 390, height: 844 } }
export const screens = [
  ['a desktop', {}],
  ['a phone', phone],
] as const

/** One browser for the tests of a file. Each test opens pages of the demo, and fails on console problems. */
export function usePages(): (options?: BrowserContextOptions, query?: string) => Promise<DemoPage> {
  const opened: DemoPage[] = []
  let browser: Browser

  beforeAll(async () => {
    browser = await launchBrowser()
  }, 60_000)

  afterEach(async () => {
    const pages = opened.splice(0)
    await Promise.all(pages.map(({ page }) => page.close()))
    expect(pages.flatMap(({ problems }) => problems)).toEqual([])
  })

  afterAll(async () => {
    await browser.close()
  })

  return async (options = {}, query = '') => {
    const page = await openDemo(browser, inject('demoUrl') + query, options)
    opened.push(page)
    return page
  }
}
