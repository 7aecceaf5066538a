import type { Browser, BrowserContextOptions } from 'playwright'
import { expect, inject, onTestFinished } from 'vitest'
import { launchBrowser } from './browser.ts'
import { openDemo } from './demo-page.ts'

export const phone = { viewport: { width: 390, height: 844 } }
export const screens = [
  ['a desktop', {}],
  ['a phone', phone],
] as const

/** One for all tests of a process; Playwright closes it with the process. */
let browser: Promise<Browser> | undefined

/** Opens the demo for a test, which fails on console problems. */
export async function open(options: BrowserContextOptions = {}, query = '') {
  const demo = await openDemo(await (browser ??= launchBrowser()), inject('demoUrl') + query, options)
  onTestFinished(async () => {
    await demo.page.close()
    expect(demo.problems).toEqual([])
  })
  return demo
}
