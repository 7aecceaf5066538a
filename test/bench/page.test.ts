import { expect, it } from 'vitest'
import type { Measured } from '../../bench/measure.js'
import { goalOf, page } from '../../bench/page.js'

const calls: Measured = {
  title: 'Calls',
  about: 'What a call costs.',
  unit: 'ns',
  rounds: 31,
  rows: [
    { name: 'by hand', median: 45.25, ratio: 1, low: 1, high: 1 },
    { name: 'lull', median: 1234, ratio: 1.146, low: 1.1, high: 1.2 },
  ],
}
const bytes: Measured = {
  title: 'Bytes',
  unit: 'bytes',
  rounds: 1,
  rows: [
    { name: 'by hand', median: 0 },
    { name: 'lull', median: 700 },
  ],
}

it.each([
  [{ row: 'lull', ratio: 1.15 }, 'Goal: at most 1.15 × by hand. Reached: 1.15 × by hand.'],
  [{ row: 'lull', ratio: 1.1 }, 'Goal: at most 1.10 × by hand. Not reached: 1.15 × by hand.'],
  [{ row: 'lull', median: 1234 }, 'Goal: at most 1,234 ns. Reached: 1,234 ns.'],
  [{ row: 'lull', median: 1233 }, 'Goal: at most 1,233 ns. Not reached: 1,234 ns.'],
])('a goal of %o is reported as reached or missed', (goal, sentence) => {
  expect(goalOf({ ...calls, goal })).toBe(sentence)
})

it('the page names the machine, lists the goals, and has a section for each measured suite', () => {
  const text = page(
    {
      date: '2026-02-03',
      machine: { cpu: 'A processor', cpus: 2, node: 'v20.1.0' },
      comparisons: [
        { suite: 'sizes', ...bytes, goal: { row: 'lull', median: 600 } },
        { suite: 'calls', ...calls },
      ],
    },
    [
      { name: 'calls', title: 'All calls' },
      { name: 'none', title: 'Not measured' },
      { name: 'sizes', title: 'All sizes', about: 'As gzip has it.' },
    ],
  )
  expect(text).toContain('on 2026-02-03')
  expect(text).toContain('Node 20.1.0, 2 × A processor.')
  expect(text.slice(text.indexOf('## The goals'))).toMatchInlineSnapshot(`
    "## The goals

    |       |              goal |  measured | reached |
    | ----- | ----------------: | --------: | ------: |
    | Bytes | at most 600 bytes | 700 bytes |      no |

    ## All calls

    ### Calls

    What a call costs.

    |         |    ns | × by hand | half of the rounds |
    | ------- | ----: | --------: | -----------------: |
    | by hand |  45.3 |      1.00 |          1.00–1.00 |
    | lull    | 1,234 |      1.15 |          1.10–1.20 |

    ## All sizes

    As gzip has it.

    ### Bytes

    Goal: at most 600 bytes. Not reached: 700 bytes.

    |         | bytes | × by hand |
    | ------- | ----: | --------: |
    | by hand |   0.0 |         – |
    | lull    |   700 |         – |
    "
  `)
})
