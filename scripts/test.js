// Runs every check and ends with one line: how many passed and failed, tests and other checks together.
// Runs three chains at a time; the tests in Chromium and with Redis often wait for the clock.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findChromium } from './find-chromium.js'
import { findRedis } from './find-redis.js'

const reports = mkdtempSync(join(tmpdir(), 'lull-test-'))
let passed = 0
let failed = 0
const seconds = []

// Commands of npm packages, also without npm.
process.env.PATH = [join(import.meta.dirname, '../node_modules/.bin'), process.env.PATH].join(delimiter)

// Checks that pack the package use the existing build: `prepack` would build it again.
process.env.npm_config_ignore_scripts = 'true'

/** Resolves to whether `command` succeeds. Prints its output at the end, so that two commands do not mix. */
function run(command) {
  const [program, ...args] = command.split(' ')
  return new Promise((resolve) => {
    const output = []
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => output.push(error.message))
    child.on('close', (code) => {
      console.log(`\n── ${command}`)
      for (const chunk of output) process.stdout.write(chunk)
      resolve(code === 0)
    })
  })
}

/** Runs a check that counts as one. */
const check = (name, command) =>
  step(name, async () => {
    if (await run(command)) passed++
    else failed++
  })

/** Runs test projects and counts their tests. */
const tests = (name, projects) =>
  step(name, async () => {
    const report = join(reports, `${name}.json`)
    const flags = projects.map((project) => `--project ${project}`).join(' ')
    const isGood = await run(
      `vitest run ${flags} --reporter=default --reporter=json --outputFile.json=${report}`,
    )
    const counts = readReport(report)
    passed += counts.passed
    failed += counts.failed
    // A run can fail without a failed test: by an error outside any test, or if there is no test.
    if (!isGood && counts.failed === 0) failed++
  })

function readReport(path) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(path, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

async function step(name, act) {
  const start = process.hrtime.bigint()
  try {
    await act()
  } catch (error) {
    console.error(error.message)
    failed++
  }
  seconds.push([name, Number(process.hrtime.bigint() - start) / 1e9])
}

async function pagesAndServers() {
  await step('chromium', () => {
    process.env.CHROMIUM_PATH = findChromium()
    passed++
  })
  await tests('browser', ['browser', 'page'])
  await step('redis server', () => {
    process.env.REDIS_SERVER_PATH = findRedis()
    passed++
  })
  await tests('redis', ['redis'])
}

async function sources() {
  // The types too, and the type tests: each is an expression that compiles, or an error that is expected.
  await check('lint and types', 'oxlint')
  await tests('unit', ['node', 'dom', 'react-*', 'server'])
}

async function docsAndPackage() {
  await check('reference', 'typedoc --logLevel Warn --treatWarningsAsErrors')
  // Its pages include the reference.
  await check('docs', 'vitepress build docs')
  await tests('built', ['built'])
  await check('format', 'oxfmt --check')
  await check('unused', 'knip')
  await check('attw', 'attw --pack --format table-flipped')
  await check('declarations', 'tsc -p tsconfig.build.json')
  await check('publint', 'publint --strict')
  await check('sizes', 'node scripts/check-sizes.js')
}

await check('build', 'vite build --logLevel warn')
// The pages last: an installation of Chromium or Redis blocks this process.
await Promise.all([sources(), docsAndPackage(), pagesAndServers()])

rmSync(reports, { recursive: true })
console.log()
for (const [name, time] of seconds) console.log(`${time.toFixed(1).padStart(7)} s  ${name}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
