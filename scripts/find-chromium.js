import { chromium } from 'playwright'
import { findProgram, run } from './find-program.js'

/** Returns the path of a Chromium. Outside of Debian, or for another user than root, Playwright's is installed. */
export const findChromium = () =>
  findProgram({
    title: 'Chromium',
    variable: 'CHROMIUM_PATH',
    names: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
    debianPackage: 'chromium',
    installOther() {
      run('npx', 'playwright', 'install', 'chromium')
      return chromium.executablePath()
    },
  })
