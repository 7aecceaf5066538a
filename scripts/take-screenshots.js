// Takes the screenshots of the demo for the README and the documentation: builds, serves and uses it in
// Chromium.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { build, preview } from 'vite'
import { findChromium } from './find-chromium.js'

const folder = join(import.meta.dirname, '../docs/screenshots')
const outDir = mkdtempSync(join(tmpdir(), 'lull-screenshots-'))
process.on('exit', () => rmSync(outDir, { recursive: true }))
const config = {
  configFile: join(import.meta.dirname, '../demo/vite.config.ts'),
  logLevel: 'error',
  build: { outDir, emptyOutDir: true },
}

/** Plays the race until both lanes have their results. */
async function race(page) {
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await page.getByTestId('race-end').getByText('Now try it yourself').waitFor({ timeout: 45_000 })
}

/** Types a burst of keys in every mode, and moves to its end. */
async function modes(page) {
  const panel = page.getByRole('region', { name: 'One input, every mode' })
  await panel.getByLabel('Type here').pressSequentially('what do they make of this', { delay: 90 })
  await panel.getByLabel('Playhead').press('End')
  // With its heading.
  await page.locator('#modes').evaluate((element) => element.scrollIntoView())
}

const desktop = { width: 1280, height: 610 }
const tall = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const card = { width: 1200, height: 630 }

const shots = [
  ['race-light', race, { viewport: desktop, colorScheme: 'light' }],
  ['race-dark', race, { viewport: desktop, colorScheme: 'dark' }],
  ['race-phone', race, { viewport: phone, colorScheme: 'light' }],
  // The preview of links to the demo.
  ['../../demo/public/og', race, { viewport: card, colorScheme: 'light' }],
  ['modes-light', modes, { viewport: tall, colorScheme: 'light' }],
  ['modes-dark', modes, { viewport: tall, colorScheme: 'dark' }],
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
    await page.goto(`${server.resolvedUrls.local[0]}?autoplay=0`)
    await page.getByRole('contentinfo').getByRole('link').first().waitFor()
    await use(page)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    await page.close()
    console.log(`docs/screenshots/${name}.png`)
  }
} finally {
  await browser.close()
  await server.close()
}
