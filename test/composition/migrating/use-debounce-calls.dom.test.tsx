import { fireEvent, renderHook } from '@testing-library/react'
import { useDebouncedCallback } from 'lull'
import { useDebouncedCallback as useTheirs } from 'use-debounce'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Diary as DiaryAfter } from '../../../docs/recipes/migrating/use-debounce-exit.after.tsx'
import { Diary as DiaryBefore } from '../../../docs/recipes/migrating/use-debounce-exit.before.tsx'
import { Invitation as InvitationAfter } from '../../../docs/recipes/migrating/use-debounce-first-only.after.tsx'
import { Invitation as InvitationBefore } from '../../../docs/recipes/migrating/use-debounce-first-only.before.tsx'
import { RestingPlace as RestingPlaceAfter } from '../../../docs/recipes/migrating/use-debounce-listener.after.tsx'
import { RestingPlace as RestingPlaceBefore } from '../../../docs/recipes/migrating/use-debounce-listener.before.tsx'
import { Draft as DraftAfter } from '../../../docs/recipes/migrating/use-debounce-max-wait.after.tsx'
import { Draft as DraftBefore } from '../../../docs/recipes/migrating/use-debounce-max-wait.before.tsx'
import { Progress as ProgressAfter } from '../../../docs/recipes/migrating/use-debounce-throttle.after.tsx'
import { Progress as ProgressBefore } from '../../../docs/recipes/migrating/use-debounce-throttle.before.tsx'
import { Address as AddressAfter } from '../../../docs/recipes/migrating/use-debounce-unmount.after.tsx'
import { Address as AddressBefore } from '../../../docs/recipes/migrating/use-debounce-unmount.before.tsx'
import { stopTime } from '../../react/support/stop-time.ts'
import { playBoth, same, type Hand } from './play.tsx'

stopTime()

const none = () => ({})
const save = (note: (what: string) => void) => ({ save: note })

/** Another tab comes to the front. */
function hidePage(): void {
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(document, 'visibilityState'))
  fireEvent(document, new Event('visibilitychange'))
}

describe('from use-debounce: what is called', () => {
  it('a listener of the page hears of the end of scrolling', () => {
    const shown = playBoth(RestingPlaceBefore, RestingPlaceAfter, none, ({ scrollTo, pass }) => {
      for (const top of [10, 20, 30]) {
        scrollTo(top)
        pass(100)
      }
      pass(1000)
    })
    expect(shown).toEqual(same(['0 "0"', '600 "30"']))
  })

  it('maxWait bounds what a typist who never rests waits for', () => {
    const saved = playBoth(DraftBefore, DraftAfter, save, ({ type, pass }) => {
      for (let n = 1; n <= 9; n++) {
        type('word '.repeat(n))
        pass(300)
      }
      pass(1000)
    })
    expect(saved).toEqual(same([`2000 ${'word '.repeat(7)}`, `2900 ${'word '.repeat(9)}`]))
  })

  it('cancel drops it, flush runs it now and once', () => {
    const saved = playBoth(DraftBefore, DraftAfter, save, ({ type, click, pass }) => {
      type('nonsense')
      pass(100)
      click('Do not save')
      pass(1000)
      type('sense')
      click('Save now')
      click('Save now')
      pass(1000)
    })
    expect(saved).toEqual(same(['1100 sense']))
  })

  it('a button may be heard only at its first click, debounced or throttled', () => {
    const calls = playBoth(
      InvitationBefore,
      InvitationAfter,
      (note) => ({ send: () => note('sent'), renew: () => note('renewed') }),
      ({ click, pass }) => {
        for (let i = 0; i < 4; i++) {
          click('Send')
          click('Renew')
          pass(200)
        }
        pass(300_000, 10_000)
        click('Send')
        click('Renew')
      },
    )
    expect(calls).toEqual(same(['0 sent', '0 renewed', '300800 sent', '300800 renewed']))
  })

  it('a cleanup that flushes becomes onUnmount', () => {
    const saved = playBoth(AddressBefore, AddressAfter, save, ({ type, pass, unmount }) => {
      type('1 High Street')
      pass(100)
      unmount()
      pass(1000)
    })
    expect(saved).toEqual(same(['100 1 High Street']))
  })

  it.each<[string, (hand: Hand<object>) => void]>([
    ['the component goes', ({ unmount }) => unmount()],
    ['the page is hidden', hidePage],
  ])('flushOnExit becomes onUnmount and flushOn: what was typed is saved when %s', (_, leave) => {
    const saved = playBoth(DiaryBefore, DiaryAfter, save, (hand) => {
      hand.type('Dear diary')
      hand.pass(100)
      leave(hand)
      hand.pass(10_000)
    })
    expect(saved).toEqual(same(['100 Dear diary']))
  })

  it('differs: it is also saved where a page goes away without being hidden before', () => {
    const saved: string[] = []
    playBoth(
      DiaryBefore,
      DiaryAfter,
      () => ({ save: (entry: string) => saved.push(entry) }),
      ({ type, pass }) => {
        type('Dear diary')
        pass(100)
        fireEvent(window, new Event('pagehide'))
        // What comes later, as the unmount that ends a play, comes in no browser.
        saved.push('gone')
      },
    )
    expect(saved).toEqual(['gone', 'Dear diary', 'Dear diary', 'gone'])
  })

  it('a throttled listener becomes useThrottledEvent', () => {
    const shown = playBoth(ProgressBefore, ProgressAfter, none, ({ scrollTo, pass }) => {
      for (let top = 1; top <= 5; top++) {
        scrollTo(top)
        pass(40)
      }
      pass(1000)
    })
    expect(shown).toEqual(same(['0 "0"', '0 "1"', '100 "3"', '220 "5"']))
  })

  it('a call answers what the last run returned', () => {
    const { result } = renderHook(() => [useTheirs(() => 42, 100), useDebouncedCallback(() => 42, 100)])
    expect(result.current.map((call) => call())).toEqual([undefined, undefined])
    vi.advanceTimersByTime(100)
    expect(result.current.map((call) => call())).toEqual([42, 42])
  })
})
