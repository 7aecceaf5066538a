import { expect, it } from 'vitest'
import { launchBrowser } from '../browser.ts'
import { openDemo } from '../demo-page.ts'
import { startDemo } from '../start-demo.ts'

it('works unbundled, as npm start serves it', async () => {
  const [demo, browser] = await Promise.all([startDemo(), launchBrowser()])
  try {
    const { box, type, shows, refuse, button, problems } = await openDemo(browser, demo.url, {})
    await type('york')
    await shows('york')
    await refuse()
    await box.fill('bern')
    await shows('bern')
    // React warns of each panel in development only.
    const names = 'Start calling, Stop calling, Add one, Send 60 calls, Stop sending, Across a boundary'
    for (const name of names.split(', ')) await button(name).click()
    expect(problems).toEqual([])
  } finally {
    await browser.close()
    await demo.close()
  }
})
