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
 * The path of a Chromium: what CHROMIUM_PATH names, else the one on the PATH, else one that is installed now
 * (Debian's if we are root there, otherwise Playwright's). Throws an error of one line that says what to do.
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
