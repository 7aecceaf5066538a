// Compares the package with the libraries and standards it claims to match, with more scripts than the daily
// tests.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const comparisons = [
  ['debounce and throttle with lodash', ['test/core/debounce/debounce-lodash.test.ts']],
  ["the token bucket with Go's x/time/rate", ['test/core/limit/laws/go-traces.test.ts']],
  [
    "lists with the HTTP working group's structured field tests",
    ['test/fetch/headers/structured-list.test.ts'],
  ],
  ['Retry-After with RFC 9110', ['test/fetch/headers/retry-after.test.ts']],
  ['RateLimit fields with their drafts', ['test/fetch/headers/read-rate-limit.test.ts']],
  ['callbacks with use-debounce', ['test/composition/conformance/use-debounce-callbacks.dom.test.tsx']],
  ["use-debounce's documented behaviour", ['test/composition/migrating/migrating.dom.test.tsx']],
]

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'lull-conformance-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const report = join(folder, 'report.json')
const files = comparisons.flatMap(([, paths]) => paths)
const flags = [
  '--project=node',
  '--project=dom',
  // For busy machines.
  '--testTimeout=1200000',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
]
const { status } = spawnSync('npx', ['vitest', 'run', ...flags, ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, LULL_LAWS: '1' },
})
const { testResults } = JSON.parse(readFileSync(report, 'utf8'))

let passed = 0
let failed = 0
console.log()
for (const [name, paths] of comparisons) {
  const results = testResults.filter((result) => paths.includes(relative(root, result.name)))
  const tests = results.flatMap(({ assertionResults }) => assertionResults)
  const good = tests.filter((test) => test.status === 'passed').length
  const isWhole = results.length === paths.length && tests.length > 0 && good === tests.length
  const seconds = results.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0) / 1000
  if (isWhole) passed++
  else failed++
  console.log(
    `${isWhole ? 'ok  ' : 'FAIL'}  ${name}: ${good} of ${tests.length} tests, ${seconds.toFixed(1)} s`,
  )
}
// An error outside any test.
if (status !== 0 && failed === 0) failed++
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
