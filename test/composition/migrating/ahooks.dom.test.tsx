import { describe, expect, it } from 'vitest'
import { Room as RoomAfter } from '../../../docs/recipes/migrating/ahooks-effect.after.tsx'
import { Room as RoomBefore } from '../../../docs/recipes/migrating/ahooks-effect.before.tsx'
import { Counter as CounterAfter } from '../../../docs/recipes/migrating/ahooks-fn.after.tsx'
import { Counter as CounterBefore } from '../../../docs/recipes/migrating/ahooks-fn.before.tsx'
import { Pen as PenAfter } from '../../../docs/recipes/migrating/ahooks-throttle-fn.after.tsx'
import { Pen as PenBefore } from '../../../docs/recipes/migrating/ahooks-throttle-fn.before.tsx'
import { Meter as MeterAfter } from '../../../docs/recipes/migrating/ahooks-throttle.after.tsx'
import { Meter as MeterBefore } from '../../../docs/recipes/migrating/ahooks-throttle.before.tsx'
import { Street as StreetAfter } from '../../../docs/recipes/migrating/ahooks-value.after.tsx'
import { Street as StreetBefore } from '../../../docs/recipes/migrating/ahooks-value.before.tsx'
import { stopTime } from '../../react/support/stop-time.ts'
import { playBoth, same } from './play.tsx'

stopTime()

const none = () => ({})

describe('from ahooks', () => {
  it('useDebounce takes the wait itself', () => {
    const shown = playBoth(StreetBefore, StreetAfter, none, ({ type, pass }) => {
      type('Main')
      pass(300)
      type('Main Street')
      pass(1000)
    })
    expect(shown).toEqual(same(['800 "Main Street"']))
  })

  it('the run of useDebounceFn becomes the function itself, with cancel and flush', () => {
    const shown = playBoth(CounterBefore, CounterAfter, none, ({ click, pass }) => {
      for (let i = 0; i < 3; i++) {
        click('Count')
        pass(100)
      }
      pass(1000)
      click('Count')
      click('Now')
      click('Count')
      click('Do not')
      pass(1000)
    })
    expect(shown).toEqual(same(['0 "0"', '700 "1"', '1300 "2"']))
  })

  it('useDebounceEffect becomes an effect of a debounced value; differs: the first one is not late', () => {
    const { before, after } = playBoth(
      RoomBefore,
      RoomAfter,
      (note) => ({
        enter(room: string) {
          note(`into ${room}`)
          return () => note(`out of ${room}`)
        },
      }),
      ({ type, pass }) => {
        pass(2000)
        type('k')
        type('kitchen')
        pass(2000)
      },
    )
    const later = ['3000 out of hall', '3000 into kitchen', '4000 out of kitchen']
    expect(before).toEqual(['1000 into hall', ...later])
    expect(after).toEqual(['0 into hall', ...later])
  })

  it('useThrottle takes the wait itself', () => {
    const shown = playBoth(
      MeterBefore,
      MeterAfter,
      () => ({ level: 0 }),
      ({ rerender, pass }) => {
        pass(600)
        for (let level = 1; level <= 9; level++) {
          rerender({ level })
          pass(200)
        }
        pass(1000)
      },
    )
    expect(shown).toEqual(same(['0 "0"', '600 "1"', '1100 "3"', '1600 "6"', '2100 "8"', '2700 "9"']))
  })

  it('differs: the mount of useThrottle counts as no change, so that the first one is shown at once', () => {
    const { before, after } = playBoth(
      MeterBefore,
      MeterAfter,
      () => ({ level: 0 }),
      ({ rerender, pass }) => {
        pass(100)
        rerender({ level: 1 })
        pass(1000)
      },
    )
    expect(before).toEqual(['0 "0"', '500 "1"'])
    expect(after).toEqual(['0 "0"', '100 "1"'])
  })

  it('the run of useThrottleFn becomes the function itself', () => {
    const drawn = playBoth(
      PenBefore,
      PenAfter,
      (note) => ({ draw: (x: number) => note(`at ${x}`) }),
      ({ slide, pass }) => {
        for (let x = 1; x <= 5; x++) {
          slide(x)
          pass(200)
        }
        pass(1000)
      },
    )
    expect(drawn).toEqual(same(['0 at 1', '500 at 3', '1100 at 5']))
  })
})
