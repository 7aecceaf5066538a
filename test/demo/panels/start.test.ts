import { expect, it } from 'vitest'
import { launchBrowser } from '../browser.ts'
import { openDemo } from '../demo-page.ts'
import { startDemo } from '../start-demo.ts'

it('works unbundled, as npm start serves it', async () => {
  const [demo, browser] = await Promise.all([startDemo(), launchBrowser()])
  try {
    const { type, shows, problems } = await openDemo(browser, demo.url, {})
    await type('york')
    await shows('york')
    expect(problems).toEqual([])
  } finally {
    await browser.close()
    await demo.close()
  }
})
