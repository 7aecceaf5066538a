// Runs every check and ends with a line for each, and how many passed and failed, tests and other checks
// together. The output of a check is above, after its name.
// Runs three chains at a time; the tests in Chromium and with Redis often wait for the clock.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findChromium } from './find-chromium.js'
import { findRedis } from './find-redis.js'

const reports = mkdtempSync(join(tmpdir(), 'lull-test-'))
process.on('exit', () => rmSync(reports, { recursive: true }))
let passed = 0
let failed = 0
const lines = []

// Commands of npm packages, also without npm.
process.env.PATH = [join(import.meta.dirname, '../node_modules/.bin'), process.env.PATH].join(delimiter)

// Checks that pack the package use the existing build: `prepack` would build it again.
process.env.npm_config_ignore_scripts = 'true'

/** Resolves to whether `command` succeeds. Prints its output at the end, so that two commands do not mix. */
function run(name, command) {
  const [program, ...args] = command.split(' ')
  return new Promise((resolve) => {
    const output = []
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => output.push(error.message))
    child.on('close', (code) => {
      console.log(`\n── ${name}: ${command}`)
      for (const chunk of output) process.stdout.write(chunk)
      resolve(code === 0)
    })
  })
}

/** The counts of a single check. */
const one = (isGood) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 })

/** Runs a command that counts as one check. */
const check = (name, command) => step(name, async () => one(await run(name, command)))

/** Finds a program that tests use, which counts as one check. */
const program = (name, variable, find) =>
  step(name, () => {
    process.env[variable] = find()
    return one(true)
  })

/** Runs test projects and counts their tests. */
const tests = (name, projects) =>
  step(name, async () => {
    const report = join(reports, `${name}.json`)
    const flags = projects.map((project) => `--project ${project}`).join(' ')
    const isGood = await run(
      name,
      `vitest run ${flags} --reporter=default --reporter=json --outputFile.json=${report}`,
    )
    const counts = readReport(report)
    // A run can fail without a failed test: by an error outside any test, or if there is no test.
    return !isGood && counts.failed === 0 ? { ...counts, failed: 1 } : counts
  })

function readReport(path) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(path, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

/** Adds the counts that `act` resolves with, and a line for the end. Resolves to whether nothing failed. */
async function step(name, act) {
  const start = performance.now()
  let counts
  let why = ''
  try {
    counts = await act()
  } catch (error) {
    counts = one(false)
    why = `: ${error.message}`
  }
  passed += counts.passed
  failed += counts.failed
  const isGood = counts.failed === 0
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  lines.push(`${isGood ? 'ok  ' : 'FAIL'} ${seconds.padStart(7)} s  ${name}${why}`)
  return isGood
}

async function pagesAndServers() {
  if (await program('chromium', 'CHROMIUM_PATH', findChromium)) await tests('browser', ['browser', 'page'])
  if (await program('redis server', 'REDIS_SERVER_PATH', findRedis)) await tests('redis', ['redis'])
}

async function sources() {
  // The types too, and the type tests: each is an expression that compiles, or an error that is expected.
  await check('lint and types', 'oxlint')
  await tests('unit', ['node', 'dom', 'react-*', 'server'])
}

async function docsAndPackage() {
  // Compiles `src` by itself, as for its declarations.
  await check('reference', 'typedoc --logLevel Warn --treatWarningsAsErrors')
  // Its pages include the reference.
  await check('docs', 'vitepress build docs')
  await tests('built', ['built'])
  await check('format', 'oxfmt --check')
  await check('unused', 'knip')
  await check('package types', 'attw --pack --format table-flipped')
  await check('package', 'publint --strict')
  await check('sizes', 'node scripts/check-sizes.js')
}

await check('build', 'vite build --logLevel warn')
// The pages last: an installation of Chromium or Redis blocks this process.
await Promise.all([sources(), docsAndPackage(), pagesAndServers()])

console.log()
for (const line of lines) console.log(line)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
