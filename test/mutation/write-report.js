// Writes docs/results/mutation.md from the reports of the parts; ends with an error if a folder's score is too low.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
const cells = (counts) => [scoreOf(counts).toFixed(1), counts.found, counts.missed, counts.ignored]

function table([headings, ...rows]) {
  const all = [headings, ...rows].map((row) => row.map(String))
  const widths = headings.map((_, column) => Math.max(3, ...all.map((row) => row[column].length)))
  const line = (row) => `| ${row.join(' | ')} |`
  const [head, ...body] = all.map((row) =>
    line(row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))),
  )
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [head, line(rule), ...body].join('\n')
}

/** Returns the number of surviving mutants of each kind, the most frequent first. */
function kindsOf(mutants) {
  const kinds = new Map()
  for (const { status, mutatorName } of mutants)
    if (status === 'Survived' || status === 'NoCoverage')
      kinds.set(mutatorName, (kinds.get(mutatorName) ?? 0) + 1)
  return [...kinds].sort((a, b) => b[1] - a[1])
}

const HEADINGS = ['score, %', 'found', 'not found', 'left out']
const reports = readReports()
const measured = [...reports].filter(([, mutants]) => Object.values(count(mutants)).some(Boolean)).sort()
const folders = ['src/core', 'src/fetch'].map((folder) => {
  const inFolder = measured.filter(([file]) => file.startsWith(`${folder}/`))
  return { folder, inFolder, counts: count(inFolder.flatMap(([, mutants]) => mutants)) }
})
const unmeasured = parts.filter((part) => !existsSync(reportOf(part)))
const notMeasured =
  unmeasured.length === 0
    ? ''
    : `Not measured yet: ${unmeasured.map((part) => `\`src/${part}\``).join(', ')}.\n\n`
const everything = measured.flatMap(([, mutants]) => mutants)

const page = `# Mutation testing

Each mutant is the code with one thing changed: a condition turned round, a number's sign, a statement left out. The tests find
it if one of them fails. ${new Date().toISOString().slice(0, 10)}, by Stryker 9:

\`\`\`sh
npm ci --prefix test/mutation
npm run mutation
\`\`\`

The files are mutated in parts, and each part is tested by its own suites, those of the core also by the chaos run, without the
tests that take long. So the scores are lower bounds. What is computed when a module loads, or once, is left out or not found.

${table([['', ...HEADINGS], ...folders.map(({ folder, counts }) => [`\`${folder}\``, ...cells(counts)])])}

${notMeasured}What was not found, by kind:

${table([['kind', 'not found'], ...kindsOf(everything)])}

${folders
  .map(
    ({ folder, inFolder }) => `## ${folder}

${table([
  ['file', ...HEADINGS],
  ...inFolder.map(([file, mutants]) => [`\`${file.slice(folder.length + 1)}\``, ...cells(count(mutants))]),
])}`,
  )
  .join('\n\n')}
`
writeFileSync(join(root, 'docs/results/mutation.md'), page.replaceAll('NaN', '–'))

for (const { folder, counts } of folders) {
  console.log(`${folder}: ${scoreOf(counts).toFixed(1)} %`)
  if (!(scoreOf(counts) >= LEAST_SCORE)) process.exitCode = 1
}
