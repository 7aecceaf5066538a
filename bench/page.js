import { table } from './markdown-table.js'

const FORMATS = { ns: 0, µs: 2, bytes: 0, calls: 2, renders: 0, times: 2 }

const shown = (number, digits) =>
  number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** Small numbers need their fractions, large ones do not. */
const digitsOf = (unit, number) =>
  (unit === 'ns' && number < 100) || (unit === 'bytes' && number < 10) ? 1 : FORMATS[unit]

const inUnit = (unit, number) => `${shown(number, digitsOf(unit, number))} ${unit === 'times' ? '×' : unit}`

/** Returns the goal and what was measured, as texts, and whether the goal is reached. */
export function judge({ goal, rows, unit }) {
  const row = rows.find(({ name }) => name === goal.row)
  const [kind, most] = 'ratio' in goal ? ['ratio', goal.ratio] : ['median', goal.median]
  const text = (number) => (kind === 'ratio' ? `${shown(number, 2)} × ${rows[0].name}` : inUnit(unit, number))
  return { goal: `at most ${text(most)}`, measured: text(row[kind]), isReached: row[kind] <= most }
}

/** The goal in a sentence, if there is one. */
export function goalOf(comparison) {
  if (!comparison.goal) return undefined
  const { goal, measured, isReached } = judge(comparison)
  return `Goal: ${goal}. ${isReached ? 'Reached' : 'Not reached'}: ${measured}.`
}

/** A row for each candidate: the median, the multiple of the first candidate, and the range of half of the rounds. */
export function tableOf({ rows, unit, rounds }) {
  const isSpread = rounds > 1 && rows.some(({ ratio }) => ratio !== undefined)
  const headings = ['', unit, `× ${rows[0].name}`, ...(isSpread ? ['half of the rounds'] : [])]
  const lines = rows.map(({ name, median, ratio, low, high }) => [
    name,
    shown(median, digitsOf(unit, median)),
    ratio === undefined ? '–' : shown(ratio, 2),
    ...(isSpread ? [ratio === undefined ? '–' : `${shown(low, 2)}–${shown(high, 2)}`] : []),
  ])
  return table([headings, ...lines])
}

function goalsTable(comparisons) {
  const rows = comparisons
    .filter(({ goal }) => goal)
    .map((comparison) => {
      const { goal, measured, isReached } = judge(comparison)
      return [comparison.title, goal, measured, isReached ? 'yes' : 'no']
    })
  return table([['', 'goal', 'measured', 'reached'], ...rows])
}

const section = (comparison) =>
  [`### ${comparison.title}`, comparison.about, goalOf(comparison), tableOf(comparison)]
    .filter(Boolean)
    .join('\n\n')

/** The results as a page in Markdown, in the order and under the headings of `suites`. */
export function page({ date, machine, comparisons }, suites) {
  const parts = suites.flatMap(({ name, title, about }) => {
    const own = comparisons.filter(({ suite }) => suite === name)
    return own.length > 0 ? [`## ${title}`, about, ...own.map(section)] : []
  })
  const introduction = `# The benchmarks

Times, memory and sizes, compared with other libraries and with the shortest code by hand for the same job that keeps \`this\` and
all arguments. The candidates of a table take turns in one process. A multiple is the median of the rounds, so that a busy machine
slows all alike. Times are CPU times. Each candidate checks its result. Lower is better.

Measured on ${date} with \`npm ci --prefix bench && npm run bench\`: Node ${machine.node.replace('v', '')}, ${machine.cpus} × ${machine.cpu}.`
  return `${[introduction, '## The goals', goalsTable(comparisons), ...parts].filter(Boolean).join('\n\n')}\n`
}
