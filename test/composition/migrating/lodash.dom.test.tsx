import { describe, expect, it } from 'vitest'
import { Letter as LetterAfter } from '../../../docs/recipes/migrating/lodash-latest-ref.after.tsx'
import { Letter as LetterBefore } from '../../../docs/recipes/migrating/lodash-latest-ref.before.tsx'
import { Search as SearchAfter } from '../../../docs/recipes/migrating/lodash-memo.after.tsx'
import { Search as SearchBefore } from '../../../docs/recipes/migrating/lodash-memo.before.tsx'
import { Tracker as TrackerAfter } from '../../../docs/recipes/migrating/lodash-throttle.after.tsx'
import { Tracker as TrackerBefore } from '../../../docs/recipes/migrating/lodash-throttle.before.tsx'
import { Upload as UploadAfter } from '../../../docs/recipes/migrating/lodash-use-callback.after.tsx'
import { Upload as UploadBefore } from '../../../docs/recipes/migrating/lodash-use-callback.before.tsx'
import { stopTime } from '../../react/support/stop-time.ts'
import { playBoth, same } from './play.tsx'

stopTime()

type Note = (what: string) => void

const find = (note: Note) => ({ find: (text: string) => note(text) })
const track = (note: Note) => ({ track: (top: number) => note(`at ${top}`) })

describe('from lodash', () => {
  it('a debounce in useMemo becomes useDebouncedCallback, with its cleanup', () => {
    const found = playBoth(SearchBefore, SearchAfter, find, ({ type, pass, unmount }) => {
      for (const text of ['l', 'lu', 'lull']) {
        type(text)
        pass(100)
      }
      pass(1000)
      type('never')
      unmount()
      pass(1000)
    })
    expect(found).toEqual(same(['500 lull']))
  })

  it('differs: what is pending outlives a change of the callback, and runs the new one', () => {
    const notes: string[] = []
    const { before, after } = playBoth(SearchBefore, SearchAfter, find, ({ type, pass, rerender }) => {
      type('lull')
      rerender({ find: (text) => notes.push(`new one: ${text}`) })
      pass(1000)
      notes.push('played')
    })
    expect([before, after]).toEqual([[], []])
    expect(notes).toEqual(['played', 'new one: lull', 'played'])
  })

  it('a ref to the latest callback is not needed', () => {
    const saved: string[] = []
    playBoth(
      LetterBefore,
      LetterAfter,
      () => ({ save: (text: string) => saved.push(`old: ${text}`) }),
      ({ type, pass, rerender, unmount }) => {
        type('Dear')
        rerender({ save: (text) => saved.push(`new: ${text}`) })
        pass(1000)
        type('Dear Ada')
        pass(100)
        unmount()
        pass(1000)
      },
    )
    expect(saved).toEqual(['new: Dear', 'new: Dear Ada', 'new: Dear', 'new: Dear Ada'])
  })

  it('differs: no closure is stale, as it is with a debounce in useCallback', () => {
    const { before, after } = playBoth(
      UploadBefore,
      UploadAfter,
      (note) => ({ folder: 'in', store: (text: string, folder: string) => note(`${text} to ${folder}`) }),
      ({ type, pass, rerender }) => {
        type('a')
        pass(1000)
        rerender({ folder: 'out' })
        type('b')
        pass(1000)
      },
    )
    expect(before).toEqual(['300 a to in', '1300 b to in'])
    expect(after).toEqual(['300 a to in', '1300 b to out'])
  })

  it('a throttled listener becomes useThrottledEvent', () => {
    const tracked = playBoth(TrackerBefore, TrackerAfter, track, ({ scrollTo, pass }) => {
      for (let top = 1; top <= 5; top++) {
        scrollTo(top)
        pass(40)
      }
      pass(1000)
    })
    expect(tracked).toEqual(same(['0 at 1', '100 at 3', '220 at 5']))
  })

  it('differs: two runs are never closer than the wait', () => {
    const { before, after } = playBoth(TrackerBefore, TrackerAfter, track, ({ scrollTo, pass }) => {
      scrollTo(1)
      pass(10)
      scrollTo(2)
      pass(100)
      scrollTo(3)
      pass(1000)
    })
    expect(before).toEqual(['0 at 1', '100 at 2', '110 at 3'])
    expect(after).toEqual(['0 at 1', '100 at 2', '200 at 3'])
  })
})
