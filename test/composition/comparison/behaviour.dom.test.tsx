// Runs one script with each library on fake platform timers, and compares the results with the docs page.
import { cleanup } from '@testing-library/react'
import { it, vi } from 'vitest'
import { stopTime } from '../../react/support/stop-time.ts'
import { libraries } from './libraries.ts'
import { matters } from './matters.tsx'
import { expectInPage, type Rows } from './page-table.ts'

stopTime()

it('docs/comparison.md shows the actual behaviour of each library', async () => {
  const rows: Rows = {}
  for (const [title, ask] of Object.entries(matters)) {
    rows[title] = {}
    for (const [name, library] of Object.entries(libraries)) {
      rows[title][name] = await ask(library)
      cleanup()
      vi.clearAllTimers()
    }
  }
  await expectInPage('behaviour', rows)
})
