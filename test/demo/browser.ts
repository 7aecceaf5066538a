import { chromium, type Browser } from 'playwright-core'

/** Starts the Chromium that the environment names. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (!executablePath) throw new Error('Expected CHROMIUM_PATH to name a Chromium, as npm test makes it do')
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
  })
}
