import type { ComponentType } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Count } from '../../../docs/recipes/migrating/pacer-debouncer.after.tsx'
import { stopTime } from '../../react/support/stop-time.ts'
import { noting, play, row, typing, upTo, type Note, type Props } from '../play.tsx'

stopTime()

const none = (): Props => ({})

const rendering = (props: Props[], ms: number): unknown[] => props.flatMap((one) => [one, ms])
const scrolling = upTo(5).flatMap((top) => [`scroll ${top}`, 40])

const lodash = [
  row('lodash-memo', noting('find'))`
    ${typing(['l', 'lu', 'lull'], 100)} | 1000 | type never | unmount | 1000
    → 500 find lull`,
  // A pending call survives a change of the callback, and runs the new one.
  row('lodash-memo', noting('find'))`
    type lull | ${(note: Note) => ({ find: (text: string) => note(`new: ${text}`) })} | 1000
    → 300 new: lull
    before:`,
  row('lodash-latest-ref', noting('save'))`
    type Dear | ${(note: Note) => ({ save: (text: string) => note(`new: ${text}`) })} | 1000
    type Ada | 100 | unmount | 1000
    → 300 new: Dear | 1100 new: Ada`,
  // No closure is stale, as it is with a debounce in useCallback.
  row('lodash-use-callback', (note) => ({
    folder: 'in',
    store: (text: string, folder: string) => note(`${text} to ${folder}`),
  }))`
    type a | 1000 | ${{ folder: 'out' }} | type b | 1000
    → 300 a to in | 1300 b to out
    before: 300 a to in | 1300 b to in`,
  row('lodash-throttle', noting('track'))`
    ${scrolling} | 1000
    → 0 track 1 | 100 track 3 | 220 track 5`,
  // Two runs are never closer than the wait.
  row('lodash-throttle', noting('track'))`
    scroll 1 | 10 | scroll 2 | 100 | scroll 3 | 1000
    → 0 track 1 | 100 track 2 | 200 track 3
    before: 0 track 1 | 100 track 2 | 110 track 3`,
]

const word = (count: number): string => 'word '.repeat(count)
const filter = () => ({ word: 'cat', tag: 'pets' })

const useDebounce = [
  row('use-debounce-value', none)`
    type Basel | 390 | type Genf | 1000
    → 0 "Bern" | 790 "Genf"`,
  row('use-debounce-callback', none)`
    ${typing(['A', 'Ad', 'Ada'], 100)} | 1000
    → 0 "nobody" | 600 "Ada"`,
  row('use-debounce-controls', none)`
    type First | 500 | click Leave it | 2000 | type Second | click Take it | type Third | 2000
    → 0 "Untitled" | 0 "Untitled …" | 500 "Untitled" | 2500 "Untitled …" | 2500 "Second"
    2500 "Second …" | 3500 "Third"`,
  // Nothing is pending once the value returns to the shown one.
  row('use-debounce-controls', none)`
    type Untitled! | 100 | type Untitled | 2000
    → 0 "Untitled" | 0 "Untitled …" | 100 "Untitled"
    before: 0 "Untitled" | 0 "Untitled …" | 1100 "Untitled"`,
  // The pending state ends when the call has run.
  row('use-debounce-pending', noting('save'))`
    type milk | 1000
    → 0 "saved" | 0 "not saved" | 500 save milk | 500 "saved"
    before: 0 "saved" | 0 "not saved" | 500 save milk`,
  row('use-debounce-leading', () => ({ book: 'Emma' }))`
    ${rendering([{ book: 'Persuasion' }, { book: 'Middlemarch' }, { book: 'Villette' }], 100)}
    2000 | ${{ book: 'Shirley' }} | 2000
    → 0 "Emma" | 0 "Persuasion" | 1200 "Villette" | 2300 "Shirley"`,
  row('use-debounce-equality', filter)`
    ${filter()} | 300 | ${{ ...filter(), word: 'cats' }} | 1000 | ${{ ...filter(), word: 'cats' }}
    → 0 "cat in pets" | 700 "cats in pets"`,
  row('use-debounce-equality', filter)`
    ${rendering(Array<Props>(10).fill({ word: 'cats' }), 100)}
    → 0 "cat in pets" | 400 "cats in pets"`,
  row('use-debounce-listener', none)`
    scroll 10 | 100 | scroll 20 | 100 | scroll 30 | 1100
    → 0 "0" | 600 "30"`,
  row('use-debounce-max-wait', noting('save'))`
    ${typing(upTo(9).map(word), 300)} | 1000
    → 2000 save ${word(7).trim()} | 2900 save ${word(9).trim()}`,
  row('use-debounce-max-wait', noting('save'))`
    type nonsense | 100 | click Do not save | 1000 | type sense | click Save now | click Save now | 1000
    → 1100 save sense`,
  row('use-debounce-first-only', noting('send', 'renew'))`
    ${upTo(4).map(() => 'click Send | click Renew | 200')} | 300000/10000 | click Send | click Renew
    → 0 send | 0 renew | 300800 send | 300800 renew`,
  row('use-debounce-unmount', noting('save'))`
    type 1 High St | 100 | unmount | 1000
    → 100 save 1 High St`,
  ...['unmount', 'hide'].map(
    (exit) => row('use-debounce-exit', noting('save'))`
    type Dear diary | 100 | ${exit} | 10000
    → 100 save Dear diary`,
  ),
  // It is also saved when the page is left without being hidden first.
  // A later event, such as the unmount that ends `play`, does not occur in a browser.
  row('use-debounce-exit', noting('save'))`
    type Dear diary | 100 | leave | 100
    → 100 save Dear diary
    before: 200 save Dear diary`,
  row('use-debounce-throttle', none)`
    ${scrolling} | 1000
    → 0 "0" | 0 "1" | 100 "3" | 220 "5"`,
]

/** A search function whose first search, for Ann, takes longer than the others. */
const findable = (note: Note): Props => {
  // ahooks logs rejections here.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  return {
    find(name: string, signal?: AbortSignal) {
      note(`find ${name}`)
      if (signal) signal.onabort = () => note(`abort ${name}`)
      return new Promise((resolve, reject) => {
        const ms = name === 'Ann' ? 600 : 100
        setTimeout(() => (name ? resolve(`${name}!`) : reject(new Error('no name'))), ms)
      })
    },
  }
}
const resultOrBusy = (page: HTMLElement): string =>
  page.querySelector<HTMLElement>('progress')!.hidden ? page.querySelector('output')!.textContent : '…'

const levels = (name: string, count: number) => upTo(count).map((n) => ({ [name]: n }))

const others = [
  // `useRequest` becomes `useDebouncedAsync`: pending from the first key on; older and unmounted runs are aborted.
  row('ahooks-request', findable, resultOrBusy)`
    type A | 100 | type Ann | 400 | type Bob | 1000 | type Cy | 300 | unmount | 1000
    → 0 "…" | 400 find Ann | 800 abort Ann | 800 find Bob | 900 "Bob!" | 1500 "…" | 1800 find Cy
    1800 abort Cy
    before: 400 find Ann | 400 "…" | 800 find Bob | 900 "Bob!" | 1800 find Cy | 1800 "…"`,
  // An error is shown, and gone with the next result.
  row('ahooks-request', findable, resultOrBusy)`
    type Ann | 1000 | type  | 1000 | type Bob | 1000
    → 0 "…" | 300 find Ann | 900 "Ann!" | 1000 "…" | 1300 find  | 1400 "no name" | 2000 "…"
    2300 find Bob | 2400 "Bob!"
    before: 300 find Ann | 300 "…" | 900 "Ann!" | 1300 find  | 1300 "…" | 1400 "no name" | 2300 find Bob
    2300 "…" | 2400 "Bob!"`,
  row('ahooks-value', none)`
    type Main | 300 | type Main Street | 1000
    → 800 "Main Street"`,
  row('ahooks-fn', none)`
    ${upTo(3).map(() => 'click Count | 100')} | 1000
    click Count | click Now | click Count | click Do not | 1000
    → 0 "0" | 700 "1" | 1300 "2"`,
  // `useDebounceEffect` becomes an effect of a debounced value: the first one is not late.
  row('ahooks-effect', (note) => ({
    enter: (room: string) => (note(`into ${room}`), () => note(`out of ${room}`)),
  }))`
    2000 | type k | type kitchen | 2000
    → 0 into hall | 3000 out of hall | 3000 into kitchen | 4000 out of kitchen
    before: 1000 into hall | 3000 out of hall | 3000 into kitchen | 4000 out of kitchen`,
  row('ahooks-throttle', () => ({ level: 0 }))`
    600 | ${rendering(levels('level', 9), 200)} | 1000
    → 0 "0" | 600 "1" | 1100 "3" | 1600 "6" | 2100 "8" | 2700 "9"`,
  // The mount of useThrottle counts as no change, so that the first one is shown at once.
  row('ahooks-throttle', () => ({ level: 0 }))`
    100 | ${{ level: 1 }} | 1000
    → 0 "0" | 100 "1"
    before: 0 "0" | 500 "1"`,
  row('ahooks-throttle-fn', noting('draw'))`
    ${typing(['1', '2', '3', '4', '5'], 200)} | 1000
    → 0 draw 1 | 500 draw 3 | 1100 draw 5`,
  // `useDebounce` becomes an effect of a debounced value: the first one is not late.
  row('react-use-effect', (note) => ({ ask: (text: string) => note(`asked "${text}"`) }))`
    2000 | ${typing(['w', 'wh', 'why'], 500)} | 2000
    → 0 asked "" | 4000 asked "why"
    before: 1000 asked "" | 4000 asked "why"`,
  row('react-use-cancel', none)`
    3000 | ${typing(['J', 'Jane', 'Jane Austen'], 500)} | 3000
    → 0 "nobody, at rest" | 3000 "nobody, typing" | 6000 "Jane Austen, at rest"`,
  // Cancel also clears the pending state.
  row('react-use-cancel', none)`
    type Jane | 500 | click Leave it | 3000
    → 0 "nobody, at rest" | 0 "nobody, typing" | 500 "nobody, at rest"
    before: 0 "nobody, at rest" | 0 "nobody, typing"`,
  // `useThrottle` stays; a change after a run waits from that run on.
  row('react-use-throttle', () => ({ speed: 0 }))`
    300 | ${rendering(levels('speed', 5), 80)} | 1000
    → 0 "0" | 300 "1" | 500 "3" | 740 "5"
    before: 0 "0" | 300 "1" | 500 "3" | 700 "5"`,
  // The mount of useThrottle counts as no change, so that the first one is shown at once.
  row('react-use-throttle', () => ({ speed: 0 }))`
    50 | ${{ speed: 1 }} | 1000
    → 0 "0" | 50 "1"
    before: 0 "0" | 200 "1"`,
  row('react-use-throttle-fn', () => ({ x: 3, y: 4 }))`
    300 | ${{ x: 6, y: 8 }} | 100 | ${{ x: 9, y: 12 }} | 1000
    → 0 "5" | 300 "10" | 500 "15"`,
  row('usehooks-ts-value', () => ({ first: 'Ada' }))`
    ${typing(['G', 'Gr', 'Grace'], 200)} | 1000
    → 0 "Ada" | 900 "Grace"`,
  row('usehooks-ts-follow', () => ({ text: 'one' }))`
    ${{ text: 'two' }} | 300 | ${{ text: 'three' }} | 1000
    → 0 "one" | 800 "three"`,
  row('usehooks-ts-callback', noting('look'))`
    ${typing(['l', 'lu', 'lull '], 200)} | 1000 | type pause | click Now | type noise | click Never | 1000
    → 900 look lull | 1600 look pause`,
  // A pending call ends with its component.
  row('usehooks-ts-callback', noting('look'))`
    type late | unmount | 1000
    →
    before: 500 look late`,
]

describe.each(Object.entries({ lodash, 'use-debounce': useDebounce, others }))('from %s', (_, rows) => {
  it.each(rows.map((row) => [row.what, row] as const))('%s, row %#', async (recipe, row) => {
    async function playWith(which: 'before' | 'after'): Promise<string[]> {
      const module = (await import(`../../../docs/recipes/migrating/${recipe}.${which}.tsx`)) as object
      return play((Object.values(module) as ComponentType<Props>[])[0]!, row)
    }
    expect(await playWith('before')).toEqual(row.before)
    vi.clearAllTimers()
    expect(await playWith('after')).toEqual(row.log)
    expect(vi.getTimerCount()).toBe(0)
  })
})

it("our replacement for Pacer's async debouncer shows no older result and loses no call made during a run", async () => {
  // Longer texts return faster.
  const count = (note: Note) => (text: string, signal: AbortSignal) => {
    note(`asks for ${text}`)
    signal.addEventListener('abort', () => note(`aborts ${text}`))
    return new Promise((resolve) => setTimeout(() => resolve(text.length), 900 / text.length))
  }
  const counted = row('pacer-async-debouncer', (note) => ({ count: count(note) }))`
    type a | 500 | type abc | 2000
    → 0 "…" | 300 asks for a | 800 aborts a | 800 asks for abc | 1100 "3"`
  expect(await play(Count as ComponentType<Props>, counted)).toEqual(counted.log)
})
