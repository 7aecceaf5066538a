// Writes docs/results/mutation.md from the reports of the parts; ends with an error if a folder's score is too low.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '../../bench/markdown-table.js'
import { parts, slugOf } from './parts.js'

const LEAST_SCORE = 85
const root = join(import.meta.dirname, '../..')

const reportOf = (part) => join(import.meta.dirname, 'reports', `${slugOf(part)}.json`)

/** Returns the mutants of each mutated file. */
function readReports() {
  const files = new Map()
  for (const part of parts) {
    if (!existsSync(reportOf(part))) continue
    for (const [file, { mutants }] of Object.entries(JSON.parse(readFileSync(reportOf(part), 'utf8')).files))
      if (existsSync(join(root, file))) files.set(file, mutants)
  }
  return files
}

function count(mutants) {
  const of = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length
  const found = of('Killed', 'Timeout')
  const missed = of('Survived', 'NoCoverage')
  return { found, missed, ignored: of('Ignored'), failed: of('RuntimeError', 'CompileError') }
}

const scoreOf = ({ found, missed }) => (100 * found) / (found + missed)
const cells = (counts) => [scoreOf(counts).toFixed(1), String(counts.found), String(counts.missed)]

const HEADINGS = ['score, %', 'found', 'not found']
const reports = readReports()
const measured = [...reports].filter(([, mutants]) => Object.values(count(mutants)).some(Boolean)).sort()
const folders = ['src/core', 'src/fetch'].map((folder) => {
  const inFolder = measured.filter(([file]) => file.startsWith(`${folder}/`))
  return { folder, counts: count(inFolder.flatMap(([, mutants]) => mutants)) }
})
const unmeasured = parts.filter((part) => !existsSync(reportOf(part)))
const notMeasured =
  unmeasured.length === 0
    ? ''
    : `Not measured yet: ${unmeasured.map((part) => `\`src/${part}\``).join(', ')}.\n\n`

/** The part with the longest name that the file is in. */
const partOf = (file) =>
  parts
    .filter((part) => file.startsWith(`src/${part}/`))
    .sort((a, b) => a.length - b.length)
    .at(-1)
const byPart = parts.map((part) => {
  const inPart = measured.filter(([file]) => partOf(file) === part)
  return { part, counts: count(inPart.flatMap(([, mutants]) => mutants)) }
})

const page = `# Mutation testing

A mutant is the code with one change: a negated condition, another operator, a statement left out. The tests find a mutant if one of
them fails. By Stryker 9, on ${new Date().toISOString().slice(0, 10)}:

\`\`\`sh
npm ci --prefix test/mutation
npm run mutation
\`\`\`

Each part is tested by its own suites; the core also by the chaos run. Slow tests are left out, and code that runs when a module loads
is not changed, so the scores are lower bounds. The reports of the parts in \`test/mutation/reports\` list each mutant.

${table([['part', ...HEADINGS], ...byPart.map(({ part, counts }) => [`\`${part}\``, ...cells(counts)])])}

${notMeasured}In \`core/shared\` many of those not found are in the warnings for development, whose tests are with the hooks, and in \`fetch/policies\` many are
in \`learn-pace.ts\`, which the race and the field suite test: they take too long here. Neither is counted.
In \`core/limit\` some are in shortcuts of the rules, which change only their speed.
`
writeFileSync(join(root, 'docs/results/mutation.md'), page.replaceAll('NaN', '–'))

for (const { folder, counts } of folders) {
  console.log(`${folder}: ${scoreOf(counts).toFixed(1)} %`)
  if (!(scoreOf(counts) >= LEAST_SCORE)) process.exitCode = 1
}
