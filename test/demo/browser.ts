import { chromium, type Browser, type LaunchOptions } from 'playwright'

/**
 * What Playwright turns off, which a second switch would turn on again; and the pop-ups of the address bar: two pages in each
 * window, which take as long to load as the page under test.
 */
const UNUSED = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

export const CHROMIUM_SWITCHES: string[] = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  `--disable-features=${UNUSED.join(',')}`,
]

export function chromiumPath(): string {
  const path = process.env['CHROMIUM_PATH']
  if (!path) throw new Error('Expected CHROMIUM_PATH to be the path of Chromium; npm test sets it')
  return path
}

export const launchBrowser = (options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_SWITCHES, ...options })
