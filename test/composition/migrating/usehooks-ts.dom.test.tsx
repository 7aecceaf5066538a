import { describe, expect, it } from 'vitest'
import { Lookup as LookupAfter } from '../../../docs/recipes/migrating/usehooks-ts-callback.after.tsx'
import { Lookup as LookupBefore } from '../../../docs/recipes/migrating/usehooks-ts-callback.before.tsx'
import { Caption as CaptionAfter } from '../../../docs/recipes/migrating/usehooks-ts-follow.after.tsx'
import { Caption as CaptionBefore } from '../../../docs/recipes/migrating/usehooks-ts-follow.before.tsx'
import { Nickname as NicknameAfter } from '../../../docs/recipes/migrating/usehooks-ts-value.after.tsx'
import { Nickname as NicknameBefore } from '../../../docs/recipes/migrating/usehooks-ts-value.before.tsx'
import { stopTime } from '../../react/support/stop-time.ts'
import { playBoth, same } from './play.tsx'

stopTime()

const look = (note: (what: string) => void) => ({ look: note })

describe('from usehooks-ts', () => {
  it('a state is set once the typing rests', () => {
    const shown = playBoth(
      NicknameBefore,
      NicknameAfter,
      () => ({ first: 'Ada' }),
      ({ type, pass }) => {
        for (const name of ['G', 'Gr', 'Grace']) {
          type(name)
          pass(200)
        }
        pass(1000)
      },
    )
    expect(shown).toEqual(same(['0 "Ada"', '900 "Grace"']))
  })

  it('a value that comes from above is followed', () => {
    const shown = playBoth(
      CaptionBefore,
      CaptionAfter,
      () => ({ text: 'one' }),
      ({ rerender, pass }) => {
        rerender({ text: 'two' })
        pass(300)
        rerender({ text: 'three' })
        pass(1000)
      },
    )
    expect(shown).toEqual(same(['0 "one"', '800 "three"']))
  })

  it('a callback needs no useCallback, nor its options a constant', () => {
    const calls = playBoth(LookupBefore, LookupAfter, look, ({ type, click, pass }) => {
      for (const word of ['l', 'lu', 'lull ']) {
        type(word)
        pass(200)
      }
      pass(1000)
      type('pause')
      click('Now')
      type('noise')
      click('Never')
      pass(1000)
    })
    expect(calls).toEqual(same(['900 lull', '1600 pause']))
  })

  it('differs: what is pending ends with its component', () => {
    const { before, after } = playBoth(LookupBefore, LookupAfter, look, ({ type, pass, unmount }) => {
      type('late')
      unmount()
      pass(1000)
    })
    expect(before).toEqual(['500 late'])
    expect(after).toEqual([])
  })
})
