// Runs the tests in Chromium as on a machine four times as slow, to reveal tests that depend on real time.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findChromium } from './find-chromium.js'

const vitest = join(import.meta.dirname, '../node_modules/.bin/vitest')
const args = ['run', '--project', 'browser', '--project', 'page', ...process.argv.slice(2)]
const env = { ...process.env, CHROMIUM_PATH: findChromium(), LULL_CPU_THROTTLING: '4' }
process.exitCode = spawnSync(vitest, args, { stdio: 'inherit', env }).status ?? 1
