// Checks all development dependencies for known vulnerabilities and registry signatures. The published
// package has no dependencies. Exits with 1 on a fault, and with 2 if the registry does not provide the data.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
let faults = 0
let unknown = 0
let isWithoutAudits = false

function say(word, what) {
  console.log(`${word.padEnd(5)} ${what}`)
  if (word === 'FAIL') faults++
  if (word === '?') unknown++
}

/** Returns the JSON of `npm audit` as `result`, or `why` there is none. */
function audit(folder, ...args) {
  const { stdout, stderr } = spawnSync('npm', ['audit', '--json', ...args], { cwd: folder, encoding: 'utf8' })
  try {
    const result = JSON.parse(stdout)
    const { statusCode, message, error } = result
    if (!statusCode && !error) return { result }
    if (statusCode) return { why: `the registry has none: ${message}`, isNever: true }
    return { why: error.summary || error.detail || error.code }
  } catch {
    return { why: stderr.trim().split('\n').at(-1) || 'npm printed nothing' }
  }
}

function vulnerabilities(tree) {
  const { result, why, isNever } = audit(join(root, tree), '--package-lock-only')
  const name = tree === '.' ? 'the package and its tools' : tree
  isWithoutAudits = isNever === true
  if (isWithoutAudits) return say('?', `no audits: ${why}`)
  if (!result) return say('?', `no audit of ${name}: ${why}`)
  const { total } = result.metadata.vulnerabilities
  const packages = result.metadata.dependencies.total
  if (total === 0) return say('ok', `${name}: ${packages} packages without a known vulnerability`)
  say('FAIL', `${name}: ${total} of ${packages} packages are known to be vulnerable`)
  for (const { name, severity, range } of Object.values(result.vulnerabilities))
    console.log(`        ${severity}: ${name} ${range}`)
}

function signatures() {
  const { result, why } = audit(root, 'signatures')
  if (!result) return say('?', `no check of signatures: ${why}`)
  const wrong = [...result.invalid, ...result.missing]
  if (wrong.length === 0) return say('ok', 'all installed packages are signed by the registry')
  say('FAIL', `${wrong.length} packages have no signature, or a wrong one`)
  for (const { name, version } of wrong) console.log(`        ${name} ${version}`)
}

const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)
const published = Object.keys({ ...dependencies, ...optionalDependencies })
if (published.length === 0) say('ok', 'the published package has no dependencies')
else say('FAIL', `the published package depends on ${published.join(', ')}`)

const projects = readdirSync(join(root, 'test/packaging')).map((name) => `test/packaging/${name}`)
const trees = ['.', 'bench', ...projects].filter((tree) => existsSync(join(root, tree, 'package-lock.json')))
for (const tree of trees) if (!isWithoutAudits) vulnerabilities(tree)
signatures()

if (unknown > 0) console.log(`\n${unknown} of these could not be checked`)
process.exitCode = faults > 0 ? 1 : unknown > 0 ? 2 : 0
