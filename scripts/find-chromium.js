import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

const run = (command, ...args) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })

function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}

function install() {
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    run('apt-get', 'update')
    run('apt-get', 'install', '-y', 'chromium')
    return onPath()
  }
  run('npx', 'playwright', 'install', 'chromium')
  return chromium.executablePath()
}

/**
 * Returns the path of a Chromium: CHROMIUM_PATH, else one on the PATH, else a newly installed one (Debian's
 * for root on Debian, otherwise Playwright's). Throws a one-line error with instructions.
 */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH names ${given}, which does not exist`)
    return given
  }
  const found = onPath()
  if (found) return found
  try {
    return install()
  } catch {
    throw new Error(
      'No Chromium: install one (as on Debian: apt-get install chromium) or name yours in CHROMIUM_PATH',
    )
  }
}
