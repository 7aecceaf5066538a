// Runs every check in turn and ends with one line: how many passed and failed, tests and other checks together.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findChromium } from './find-chromium.js'

const reports = mkdtempSync(join(tmpdir(), 'lull-test-'))
let passed = 0
let failed = 0
const seconds = []

// Where npm looks for a command, also if it was not npm that has started this.
process.env.PATH = [join(import.meta.dirname, '../node_modules/.bin'), process.env.PATH].join(delimiter)

function run(command, env = {}) {
  const [program, ...args] = command.split(' ')
  return spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
}

/** A check that passes or fails as one. */
function check(name, command) {
  step(name, () => {
    if (run(command)) passed++
    else failed++
  })
}

/** Test projects, counted by the test. */
function tests(name, projects, env) {
  step(name, () => {
    const report = join(reports, `${name}.json`)
    const flags = projects.map((project) => `--project ${project}`).join(' ')
    const isGood = run(
      `vitest run ${flags} --reporter=default --reporter=json --outputFile.json=${report}`,
      env,
    )
    const counts = readReport(report)
    passed += counts.passed
    failed += counts.failed
    // A run can fail with no test failed: on an error outside of any, or when there was none to run.
    if (!isGood && counts.failed === 0) failed++
  })
}

function readReport(path) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(path, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

function step(name, act) {
  console.log(`\n── ${name}`)
  const start = process.hrtime.bigint()
  try {
    act()
  } catch (error) {
    console.error(error.message)
    failed++
  }
  seconds.push([name, Number(process.hrtime.bigint() - start) / 1e9])
}

check('format', 'prettier --check --log-level warn .')
check('lint', 'eslint .')
check('types', 'tsc')
check('declarations', 'tsc -p tsconfig.build.json')
tests('unit', ['node', 'dom', 'react-*', 'server', 'types'])
check('build', 'vite build --logLevel warn')
tests('built', ['built'])
check('unused', 'knip')
check('reference', 'typedoc --logLevel Warn --treatWarningsAsErrors')
check('docs', 'vitepress build docs')
check('publint', 'publint --strict')
check('attw', 'attw --pack --profile esm-only --format table-flipped')
check('sizes', 'node scripts/check-sizes.js')
// Last and by itself: the browser wants a core of its own.
step('chromium', () => {
  process.env.CHROMIUM_PATH = findChromium()
  passed++
})
tests('browser', ['browser', 'page'])

rmSync(reports, { recursive: true })
console.log()
for (const [name, time] of seconds) console.log(`${time.toFixed(1).padStart(7)} s  ${name}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
