// Takes the pictures of the demo that the README and the documentation show: builds it, serves it, and uses it in Chromium.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { build, preview } from 'vite'
import { findChromium } from './find-chromium.js'

const folder = join(import.meta.dirname, '../docs/screenshots')
const outDir = mkdtempSync(join(tmpdir(), 'lull-screenshots-'))
const config = {
  configFile: join(import.meta.dirname, '../demo/vite.config.ts'),
  logLevel: 'error',
  build: { outDir, emptyOutDir: true },
}

/** A search that is refused in its middle, just before it is asked again. */
async function search(page) {
  const box = page.getByRole('searchbox', { name: 'Search cities' })
  await box.pressSequentially('san fran', { delay: 110 })
  await page.locator('[data-query="san fran"][aria-busy="false"]').waitFor()
  await page.getByRole('button', { name: 'Refuse for 3 s' }).click()
  // Where the caret is when the focus comes back, browsers do not agree.
  await box.press('End')
  await box.pressSequentially('cisco', { delay: 110 })
  await page.getByTestId('countdown').getByText('Next try in 2 s').waitFor()
  await page.evaluate(() => scrollTo(0, 0))
}

/** A burst of keys in every mode, as far as it went. */
async function modes(page) {
  const panel = page.getByRole('region', { name: 'One input, every mode' })
  await panel.getByLabel('Type here').pressSequentially('what do they make of this', { delay: 90 })
  await panel.getByLabel('Playhead').press('End')
  await panel.evaluate((element) => element.scrollIntoView())
  // Below the bar that stays at the top.
  await page.evaluate(() => scrollBy(0, -72))
}

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }

const shots = [
  ['search-light', search, { viewport: desktop, colorScheme: 'light' }],
  ['search-dark', search, { viewport: desktop, colorScheme: 'dark' }],
  ['search-phone', search, { viewport: phone, colorScheme: 'light' }],
  ['modes-light', modes, { viewport: desktop, colorScheme: 'light' }],
  ['modes-dark', modes, { viewport: desktop, colorScheme: 'dark' }],
]

await build(config)
const server = await preview({ ...config, preview: { port: 0 } })
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
})
try {
  mkdirSync(folder, { recursive: true })
  for (const [name, use, options] of shots) {
    const page = await browser.newPage(options)
    await page.goto(server.resolvedUrls.local[0])
    await page.getByRole('contentinfo').getByRole('link').first().waitFor()
    await use(page)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    await page.close()
    console.log(`docs/screenshots/${name}.png`)
  }
} finally {
  await browser.close()
  await server.close()
  rmSync(outDir, { recursive: true })
}
