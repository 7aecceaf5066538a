import { chromium, type Browser } from 'playwright-core'

/** Starts the Chromium at `CHROMIUM_PATH`. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH']
  if (!executablePath) throw new Error('Expected CHROMIUM_PATH to be the path of Chromium; npm test sets it')
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
  })
}
