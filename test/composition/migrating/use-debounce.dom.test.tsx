import { describe, expect, it, vi } from 'vitest'
import { Greeting as GreetingAfter } from '../../../docs/recipes/migrating/use-debounce-callback.after.tsx'
import { Greeting as GreetingBefore } from '../../../docs/recipes/migrating/use-debounce-callback.before.tsx'
import { Heading as HeadingAfter } from '../../../docs/recipes/migrating/use-debounce-controls.after.tsx'
import { Heading as HeadingBefore } from '../../../docs/recipes/migrating/use-debounce-controls.before.tsx'
import { Filter as FilterAfter } from '../../../docs/recipes/migrating/use-debounce-equality.after.tsx'
import { Filter as FilterBefore } from '../../../docs/recipes/migrating/use-debounce-equality.before.tsx'
import { Shelf as ShelfAfter } from '../../../docs/recipes/migrating/use-debounce-leading.after.tsx'
import { Shelf as ShelfBefore } from '../../../docs/recipes/migrating/use-debounce-leading.before.tsx'
import { Memo as MemoAfter } from '../../../docs/recipes/migrating/use-debounce-pending.after.tsx'
import { Memo as MemoBefore } from '../../../docs/recipes/migrating/use-debounce-pending.before.tsx'
import { CityFilter as CityFilterAfter } from '../../../docs/recipes/migrating/use-debounce-value.after.tsx'
import { CityFilter as CityFilterBefore } from '../../../docs/recipes/migrating/use-debounce-value.before.tsx'
import { stopTime } from '../../react/support/stop-time.ts'
import { playBoth, same } from './play.tsx'

stopTime()

const none = () => ({})

describe('from use-debounce: what is shown', () => {
  it('a value appears once it has rested', () => {
    const shown = playBoth(CityFilterBefore, CityFilterAfter, none, ({ type, pass }) => {
      type('Basel')
      pass(390)
      type('Genf')
      pass(1000)
    })
    expect(shown).toEqual(same(['0 "Bern"', '790 "Genf"']))
  })

  it('a callback of an input gets the last text', () => {
    const shown = playBoth(GreetingBefore, GreetingAfter, none, ({ type, pass }) => {
      for (const name of ['A', 'Ad', 'Ada']) {
        type(name)
        pass(100)
      }
      pass(1000)
    })
    expect(shown).toEqual(same(['0 "nobody"', '600 "Ada"']))
  })

  it('a value is cancelled, flushed and seen to be pending', () => {
    const shown = playBoth(HeadingBefore, HeadingAfter, none, ({ type, click, pass }) => {
      type('First')
      pass(500)
      click('Leave it')
      pass(2000)
      type('Second')
      click('Take it')
      type('Third')
      pass(2000)
    })
    expect(shown).toEqual(
      same([
        '0 "Untitled"',
        '0 "Untitled …"',
        '500 "Untitled"',
        '2500 "Untitled …"',
        '2500 "Second"',
        '2500 "Second …"',
        '3500 "Third"',
      ]),
    )
  })

  it('differs: nothing is pending once the value is back to what is shown', () => {
    const { before, after } = playBoth(HeadingBefore, HeadingAfter, none, ({ type, pass }) => {
      type('Untitled!')
      pass(100)
      type('Untitled')
      pass(2000)
    })
    expect(before).toEqual(['0 "Untitled"', '0 "Untitled …"', '1100 "Untitled"'])
    expect(after).toEqual(['0 "Untitled"', '0 "Untitled …"', '100 "Untitled"'])
  })

  it('differs: that a call is pending is seen to end when it has run', () => {
    const { before, after } = playBoth(
      MemoBefore,
      MemoAfter,
      (note) => ({ save: note }),
      ({ type, pass }) => {
        type('milk')
        pass(1000)
      },
    )
    expect(before).toEqual(['0 "saved"', '0 "not saved"', '500 milk'])
    expect(after).toEqual(['0 "saved"', '0 "not saved"', '500 milk', '500 "saved"'])
  })

  it('a leading value appears at once, and the last one in the end', () => {
    const shown = playBoth(
      ShelfBefore,
      ShelfAfter,
      () => ({ book: 'Emma' }),
      ({ rerender, pass }) => {
        for (const book of ['Persuasion', 'Middlemarch', 'Villette']) {
          rerender({ book })
          pass(100)
        }
        pass(2000)
        rerender({ book: 'Shirley' })
        pass(2000)
      },
    )
    expect(shown).toEqual(same(['0 "Emma"', '0 "Persuasion"', '1200 "Villette"', '2300 "Shirley"']))
  })

  it('a literal made anew in each render needs no equalityFn', () => {
    const shown = playBoth(
      FilterBefore,
      FilterAfter,
      () => ({ word: 'cat', tag: 'pets' }),
      ({ rerender, pass }) => {
        rerender({ word: 'cat', tag: 'pets' })
        pass(300)
        rerender({ word: 'cats', tag: 'pets' })
        pass(1000)
        rerender({ word: 'cats', tag: 'pets' })
        expect(vi.getTimerCount()).toBe(0)
      },
    )
    expect(shown).toEqual(same(['0 "cat in pets"', '700 "cats in pets"']))
  })

  it('a literal made anew while it is pending does not put it off', () => {
    const shown = playBoth(
      FilterBefore,
      FilterAfter,
      () => ({ word: 'cat', tag: 'pets' }),
      ({ rerender, pass }) => {
        for (let i = 0; i < 10; i++) {
          rerender({ word: 'cats' })
          pass(100)
        }
      },
    )
    expect(shown).toEqual(same(['0 "cat in pets"', '400 "cats in pets"']))
  })
})
