// What each library does in the same script, all on the time of the platform, which stands still: what the page says.
import { cleanup } from '@testing-library/react'
import { it, vi } from 'vitest'
import { stopTime } from '../../react/support/stop-time.ts'
import { libraries } from './libraries.ts'
import { mattersInReact } from './matters-in-react.tsx'
import { mattersInTime } from './matters-in-time.ts'
import { expectInPage, type Rows } from './page-table.ts'

stopTime()

it('the table of behaviour in docs/comparison.md is what the libraries do', async () => {
  const rows: Rows = {}
  for (const [title, ask] of Object.entries({ ...mattersInReact, ...mattersInTime })) {
    rows[title] = {}
    for (const [name, library] of Object.entries(libraries)) {
      rows[title][name] = await ask(library)
      cleanup()
      vi.clearAllTimers()
    }
  }
  vi.useRealTimers()
  await expectInPage('behaviour', rows)
})
