// Prints the score of each part that has a report, and writes docs/results/mutation.md if all have one. Ends with an error
// if the score of `src/core` or `src/fetch` is too low.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '../../bench/markdown-table.js'
import { parts, slugOf } from './parts.js'

const LEAST_SCORE = 85
const root = join(import.meta.dirname, '../..')

const reportOf = (part) => join(import.meta.dirname, 'reports', `${slugOf(part)}.json`)

/** Counts the mutants in the files of a part that still exist. */
function resultOf(part) {
  const { files } = JSON.parse(readFileSync(reportOf(part), 'utf8'))
  const statuses = Object.entries(files)
    .filter(([file]) => existsSync(join(root, file)))
    .flatMap(([, { mutants }]) => mutants.map(({ status }) => status))
  const count = (...wanted) => statuses.filter((status) => wanted.includes(status)).length
  return { part, found: count('Killed', 'Timeout'), missed: count('Survived', 'NoCoverage') }
}

const scoreOf = ({ found, missed }) => (100 * found) / (found + missed)

const unmeasured = parts.filter((part) => !existsSync(reportOf(part)))
const results = parts.filter((part) => !unmeasured.includes(part)).map(resultOf)
const rows = table([
  ['part', 'score, %', 'found', 'not found'],
  ...results.map((result) => [
    `\`${result.part}\``,
    scoreOf(result).toFixed(1),
    String(result.found),
    String(result.missed),
  ]),
])
console.log(rows)

const page = `# Mutation testing

A mutant is the code with one change: a negated condition, another operator, a statement left out. The tests find a mutant if one of
them fails. By Stryker 9, on ${new Date().toISOString().slice(0, 10)}:

\`\`\`sh
npm ci --prefix test/mutation
npm run mutation
\`\`\`

Each part is tested by its own suites; the core also by the chaos run. Slow tests are left out, and code that runs when a module loads
is not changed, so the scores are lower bounds. The reports of the parts in \`test/mutation/reports\` list each mutant.

${rows}

In \`core/shared\` many of those not found are in the warnings for development, whose tests are with the hooks. In \`fetch/policies\` many are
in \`learn-pace.ts\`, which the race and the field suite test. Neither is run here; the latter take too long.
In \`core/limit\` some are in shortcuts of the rules, which change only their speed.
`
if (unmeasured.length === 0) writeFileSync(join(root, 'docs/results/mutation.md'), page)
else console.log(`docs/results/mutation.md stays as it is. Not measured yet: ${unmeasured.join(', ')}`)

for (const folder of ['core', 'fetch']) {
  const inFolder = results.filter(({ part }) => part.split('/')[0] === folder)
  const sum = (key) => inFolder.reduce((total, result) => total + result[key], 0)
  const score = scoreOf({ found: sum('found'), missed: sum('missed') })
  if (score < LEAST_SCORE) {
    console.log(`src/${folder}: ${score.toFixed(1)} %, expected at least ${LEAST_SCORE} %`)
    process.exitCode = 1
  }
}
