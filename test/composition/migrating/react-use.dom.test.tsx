import { describe, expect, it } from 'vitest'
import { Author as AuthorAfter } from '../../../docs/recipes/migrating/react-use-cancel.after.tsx'
import { Author as AuthorBefore } from '../../../docs/recipes/migrating/react-use-cancel.before.tsx'
import { Suggestions as SuggestionsAfter } from '../../../docs/recipes/migrating/react-use-effect.after.tsx'
import { Suggestions as SuggestionsBefore } from '../../../docs/recipes/migrating/react-use-effect.before.tsx'
import { Ruler as RulerAfter } from '../../../docs/recipes/migrating/react-use-throttle-fn.after.tsx'
import { Ruler as RulerBefore } from '../../../docs/recipes/migrating/react-use-throttle-fn.before.tsx'
import { Speed as SpeedAfter } from '../../../docs/recipes/migrating/react-use-throttle.after.tsx'
import { Speed as SpeedBefore } from '../../../docs/recipes/migrating/react-use-throttle.before.tsx'
import { stopTime } from '../../react/support/stop-time.ts'
import { playBoth, same } from './play.tsx'

stopTime()

const none = () => ({})

describe('from react-use', () => {
  it('useDebounce becomes an effect of a debounced value; differs: the first one is not late', () => {
    const { before, after } = playBoth(
      SuggestionsBefore,
      SuggestionsAfter,
      (note) => ({ ask: (text: string) => note(`asked "${text}"`) }),
      ({ type, pass }) => {
        pass(2000)
        for (const text of ['w', 'wh', 'why']) {
          type(text)
          pass(500)
        }
        pass(2000)
      },
    )
    expect(before).toEqual(['1000 asked ""', '4000 asked "why"'])
    expect(after).toEqual(['0 asked ""', '4000 asked "why"'])
  })

  it('a debounced state tells that one is typing, without an effect', () => {
    const shown = playBoth(AuthorBefore, AuthorAfter, none, ({ type, pass }) => {
      pass(3000)
      for (const text of ['J', 'Jane', 'Jane Austen']) {
        type(text)
        pass(500)
      }
      pass(3000)
    })
    expect(shown).toEqual(
      same(['0 "nobody, at rest"', '3000 "nobody, typing"', '6000 "Jane Austen, at rest"']),
    )
  })

  it('differs: with the cancel goes what says that something is pending', () => {
    const { before, after } = playBoth(AuthorBefore, AuthorAfter, none, ({ type, click, pass }) => {
      type('Jane')
      pass(500)
      click('Leave it')
      pass(3000)
    })
    expect(before).toEqual(['0 "nobody, at rest"', '0 "nobody, typing"'])
    expect(after).toEqual(['0 "nobody, at rest"', '0 "nobody, typing"', '500 "nobody, at rest"'])
  })

  it('useThrottle stays what it is; differs: what changes after a run waits from then on', () => {
    const { before, after } = playBoth(
      SpeedBefore,
      SpeedAfter,
      () => ({ speed: 0 }),
      ({ rerender, pass }) => {
        pass(300)
        for (let speed = 1; speed <= 5; speed++) {
          rerender({ speed })
          pass(80)
        }
        pass(1000)
      },
    )
    expect(before).toEqual(['0 "0"', '300 "1"', '500 "3"', '700 "5"'])
    expect(after).toEqual(['0 "0"', '300 "1"', '500 "3"', '740 "5"'])
  })

  it('useThrottleFn becomes a function of a throttled value', () => {
    const shown = playBoth(
      RulerBefore,
      RulerAfter,
      () => ({ x: 3, y: 4 }),
      ({ rerender, pass }) => {
        pass(300)
        rerender({ x: 6, y: 8 })
        pass(100)
        rerender({ x: 9, y: 12 })
        pass(1000)
      },
    )
    expect(shown).toEqual(same(['0 "5"', '300 "10"', '500 "15"']))
  })

  it('differs: the mount of useThrottle counts as no change, so that the first one is shown at once', () => {
    const { before, after } = playBoth(
      SpeedBefore,
      SpeedAfter,
      () => ({ speed: 0 }),
      ({ rerender, pass }) => {
        pass(50)
        rerender({ speed: 1 })
        pass(1000)
      },
    )
    expect(before).toEqual(['0 "0"', '200 "1"'])
    expect(after).toEqual(['0 "0"', '50 "1"'])
  })
})
