// Runs each component recipe of docs/recipes once, with user actions.
import { fireEvent, screen } from '@testing-library/react'
import { createLimiter, tokenBucket } from 'lull/core'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ComponentType } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { renderOnClock } from '../../docs/recipes/functions/clock-provider.tsx'
import { HtmlEditor } from '../../docs/recipes/functions/use-debounce.tsx'
import { modes } from '../react/support/render.tsx'
import { stopTime } from '../react/support/stop-time.ts'
import { noting, play, row, typing, upTo, type Note, type Props } from './play.tsx'

// No jitter, during the import of lull, which keeps the function. An earlier file may have imported it.
const random = vi.hoisted(() => {
  vi.resetModules()
  const { random } = Math
  Math.random = () => 0
  return random
})
Math.random = random

stopTime()

// React warns of an element that jsdom does not know: `<search>`.
Object.defineProperty(HTMLUnknownElement.prototype, Symbol.toStringTag, { value: 'HTMLElement' })

/** The title starts with one or more recipes, rendered one below the other. */
const recipesOf = (what: string): string[] => what.split(':')[0]!.split(' ')

const ok = (body?: string | string[]): Response =>
  typeof body === 'object' ? Response.json(body) : new Response(body)
const refused = (seconds = '2'): Response =>
  new Response(null, { status: 429, headers: { 'Retry-After': seconds } })
const failed = (status: number): Response => new Response(null, { status })

/** Logs requests and responds after 50 ms, or after the given time. */
const serving =
  (responses: (Response | [Response, ms: number])[], props: Props = {}) =>
  (note: Note): Props => {
    const left = [...responses]
    vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input, 'http://api.test')
      const body = init?.body as string | undefined
      const shown = body && (body.length > 20 ? `${body.length} bytes` : body)
      const name = `${pathname}${decodeURIComponent(search)}`
      note([name, shown, init?.keepalive && 'keepalive'].filter(Boolean).join(' '))
      const next = left.shift() ?? ok()
      const [response, ms] = next instanceof Response ? [next.clone(), 50] : [next[0].clone(), next[1]]
      return new Promise((resolve, reject) => {
        let isOver = false
        setTimeout(() => {
          isOver = true
          resolve(response)
        }, ms)
        init?.signal?.addEventListener('abort', () => {
          if (!isOver) note(`${name} aborted`)
          reject(init.signal!.reason as Error)
        })
      })
    })
    return props
  }

/** Reports at once that the element is in view, as long as it is observed. */
class AlwaysInView {
  readonly #call: (entries: { isIntersecting: boolean }[]) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  constructor(call: (entries: { isIntersecting: boolean }[]) => void) {
    this.#call = call
  }
  observe(): void {
    this.#timer = setTimeout(() => this.#call([{ isIntersecting: true }]))
  }
  disconnect(): void {
    clearTimeout(this.#timer)
  }
}

/** Resolves to `value`, or rejects with `error`, after `ms`. */
const later = <T,>(ms: number, value: T, error?: Error): Promise<T> =>
  new Promise((resolve, reject) => setTimeout(() => (error ? reject(error) : resolve(value)), ms))

const textOf = (page: Element): string => page.textContent
const valueAndOutput = (page: HTMLElement): string =>
  `${page.querySelector('input')!.value} ${page.querySelector('output')!.textContent}`.trim()

const values = [
  row(
    'functions/use-debounce: the preview follows once typing stops, and every 2 s while it does not',
    () => ({ html: '' }),
    (page) => {
      const preview = page.querySelector('iframe')!
      return preview.srcdoc + (preview.getAttribute('aria-busy') === 'true' ? ' …' : '')
    },
  )`
    ${typing(['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg'], 400)} | 1000
    → 0 " …" | 2000 "abcde" | 2000 "abcde …" | 2900 "abcdefg"`,
  row('functions/use-throttle: the price changes once a second, the last time to the last price', () => ({
    cents: 100,
  }))`
    ${upTo(9).map((n) => [150, { cents: 100 + n }])} | 2000
    → 0 "1.00 €" | 150 "1.01 €" | 1150 "1.07 €" | 2200 "1.09 €"`,
  row(
    'functions/use-debounced-state: finds once typing stops, at once on Enter, and not after Escape',
    () => ({ find: (text: string) => `found ${text}` }),
  )`
    ${typing(['p', 'pa'], 200)} | 200 | type par | key Enter | 100
    type pari | key Escape | 900 | type  | 500
    → 500 "found pa" | 600 "found par" | 1600 ""`,
  row(
    'url-field: the URL gets the text when typing stops or the field is left, and the field follows the URL, also while a text is pending',
    (note) => ({ inUrl: 'rome', write: (text: string) => note(`write ${text}`) }),
    (page) => page.querySelector('input')!.value,
  )`
    type b | 100 | type be | 350 | type ber | 100 | ${{ inUrl: 'be' }} | 250
    type berl | blur | 400 | ${{ inUrl: 'berl' }} | type berli | 100 | ${{ inUrl: 'paris' }} | 500
    ${{ inUrl: 'berl' }} | 500 | type bern | 100 | unmount | 500
    → 0 "rome" | 0 "b" | 100 "be" | 400 write be | 450 "ber" | 750 write ber | 800 "berl" | 800 write berl
    1200 "berli" | 1300 "paris" | 1800 "berl" | 2300 "bern"`,
  row('functions/composing: nothing is looked up until the input method has composed the word', () => ({
    lookUp: (word: string) => word.toUpperCase(),
  }))`
    compose | type きょ | 1000 | type きょう | 100 | composed 京 | 1000 | type kyoto | 1000
    → 1350 "京" | 2350 "KYOTO"`,
]

const calls = [
  row(
    'functions/use-debounced-callback: the draft is kept 500 ms after the last key, at the latest after 5 s, and when the page is left',
    (note) => {
      vi.spyOn(Storage.prototype, 'setItem').mockImplementation((name, text) => note(`${name}: ${text}`))
      return { name: 'note', text: '' }
    },
  )`
    type a | 400 | type ab | 600
    ${typing(
      upTo(14).map((n) => 'abcdefghijklmnop'.slice(0, n + 2)),
      400,
    )}
    hide | 100 | type end | unmount | 1000
    → 900 note: ab | 6000 note: abcdefghijklmno | 6600 note: abcdefghijklmnop | 6700 note: end`,
  row(
    'functions/use-throttled-callback: the player gets the first position at once, then one every 100 ms, and the last',
    noting('setVolume'),
  )`
    ${typing(['51', '52', '53', '54', '55', '56', '57'], 40)} | 1000
    → 0 setVolume 51 | 100 setVolume 53 | 200 setVolume 56 | 300 setVolume 57`,
  row('functions/use-is-pending: shows whether a title is saved', noting('save'))`
    ${typing(['L', 'Lu'], 500)} | 1000
    → 0 "not saved yet" | 1500 save Lu | 1500 ""`,
  row(
    'functions/use-debounced-async: a newer name aborts the request for the older one, whose result is never shown',
    (note) => ({
      // The server takes 500 ms, and does not stop when it is aborted.
      isFree(name: string, signal: AbortSignal) {
        note(`asks for ${name}`)
        signal.addEventListener('abort', () => note(`aborts ${name}`))
        return later(500, name !== 'ada')
      },
    }),
  )`
    type ad | 200 | type ada | 400 | type adam | 2000
    → 0 "checking …" | 500 asks for ada | 900 aborts ada | 900 asks for adam | 1400 "free"`,
  row('functions/use-batch: read items are sent together, once, 20 at most, and on unmount', (note) => ({
    texts: upTo(30).map((n) => `m${n}`),
    markRead(read: string[]) {
      note(`${read.length}, from ${read[0]!}`)
      return read.length < 20 ? Promise.resolve() : Promise.reject(new Error('too many'))
    },
  }))`
    ${[1, 2, 3, 1, 2, 3].map((n) => `hover m${n} | 10`)} | 1000
    ${upTo(25).map((n) => `hover m${n} | 10`)} | 100 | unmount | 1000
    → 550 3, from m1 | 1250 20, from m1 | 1250 "Some messages stay marked as new." | 1410 5, from m21`,
  row(
    'search-field: the search field shows the result of the last text, and the previous one until then',
    serving([ok(['Paris', 'Parma']), ok(['Paris'])], { url: '/search' }),
    (page) => {
      const list = page.querySelector('ul')!
      const found = [...list.children].map(({ textContent }) => textContent).join(' ')
      return found + (list.style.opacity === '1' ? '' : ', stale')
    },
  )`
    ${typing(['p', 'pa', 'par'], 100)} | 500 | type pari | 1000
    → 450 /search?q=par | 500 "Paris Parma" | 800 "Paris Parma, stale" | 1050 /search?q=pari | 1100 "Paris"`,
  row(
    'search-field: the search field sends nothing for a word that is being composed, then one request',
    serving([], { url: '/search' }),
  )`
    compose | type きょ | 1000 | composed 京 | 300
    → 1250 /search?q=京`,
  row(
    'start: the quick start searches once typing stops, aborts outdated requests, and waits after a 429',
    serving([[ok(), 1000], refused(), ok(['Paris']), [ok(), 1000]]),
    (page) => page.querySelector('p')!.textContent,
  )`
    ${typing(['p', 'pa', 'par'], 100)} | 250 | type pari | 3000 | type paris | 300 | unmount | 1000
    → 450 /cities?q=par | 800 /cities?q=par aborted | 800 /cities?q=pari | 2850 /cities?q=pari
    2900 "Paris" | 3800 /cities?q=paris | 3850 /cities?q=paris aborted`,
  row(
    'autosave: the note saves one text at a time, ending with the last',
    serving([[ok(), 3000], failed(507)], { url: '/note', text: '' }),
  )`
    ${typing(['a', 'ab', 'abc'], 1000)} | 3000
    → 0 "saved" | 0 "saving …" | 1000 /note a | 4000 /note abc | 4050 "not saved: 507"`,
  row(
    'autosave: the note saves once, past the end of the page, when that is hidden, left and unmounted',
    serving([], { url: '/note', text: '' }),
  )`
    type a | hide | leave | unmount | 1000
    → 0 "saved" | 0 "saving …" | 0 /note a keepalive`,
  row(
    'autosave: the note sends a text too long for keepalive without it',
    serving([], { url: '/note', text: '' }),
  )`
    type ${'x'.repeat(60_001)} | hide | 100
    → 0 "saved" | 0 "saving …" | 0 /note 60001 bytes | 50 "saved"`,
  row(
    'like-button: the like button shows each click at once, saves the last state, one at a time, and reports a failed save',
    (note) => ({
      isLiked: false,
      save(isLiked: boolean) {
        note(`saves ${isLiked}`)
        return later(2000, undefined, new Error('offline'))
      },
    }),
    (page) => [...page.children].map(textOf).join(', '),
  )`
    press | press | press | press | press | 1000 | press | 5000
    → 0 "Like" | 0 "Liked" | 0 "Like" | 0 "Liked" | 0 "Like" | 0 "Liked"
    500 saves true | 1000 "Like" | 2500 saves false | 2500 "Like, Not saved. Try again"`,
  row(
    'optimistic-save: the optimistic save shows an edit at once, keeps a newer one, and rolls back if the last save fails',
    () => ({
      title: 'old',
      save: (title: string) => later(300, undefined, title === 'one' ? undefined : new Error('offline')),
    }),
    valueAndOutput,
  )`
    type one | 1000 | type two | 600 | type three | 2000
    → 0 "old" | 0 "one" | 1000 "two" | 1600 "three" | 1800 "three Not saved" | 2400 "one Not saved"`,
  row(
    'optimistic-save: the optimistic save keeps a newer edit that equals the one that failed',
    () => ({
      title: 'old',
      save: vi
        .fn(() => later(300, undefined))
        .mockImplementationOnce(() => later(300, undefined, new Error('offline'))),
    }),
    valueAndOutput,
  )`
    type one | 600 | type two | type one | 2000
    → 0 "old" | 0 "one" | 600 "two" | 600 "one" | 800 "one Not saved" | 1400 "one"`,
]

const time = [
  row(
    'functions/use-countdown: the button shows the seconds, and works again at their end',
    noting('send'),
    textOf,
  )`
    ${upTo(31).map(() => 'press | 1000/500')} | 30000/1000
    → 0 "Send the code"
    ${[0, 30_000].map((from) => [
      `${from} send`,
      ...upTo(30).map((n) => `${from + (n - 1) * 1000} "Send again in ${31 - n} s"`),
      `${from + 30_000} "Send the code"`,
    ])}`,
  row('functions/use-clock: measures the time between two presses by the clock', () => ({}), textOf)`
    press | 270 | press
    → 0 "0 ms" | 270 "270 ms"`,
  row('functions/use-limiter: three invitations go, then one every two seconds', (note) => ({
    limiter: createLimiter(tokenBucket({ ratePerSecond: 0.5, burst: 3 })),
    send: () => note('sent'),
  }))`
    press | press | press | press | press | 2000 | press
    → 0 sent | 0 sent | 0 sent | 0 "1 refused, again in 2 s" | 0 "2 refused, again in 2 s"
    1000 "2 refused, again in 1 s" | 2000 "" | 2000 sent`,
  row(
    'functions/use-rate-meter: the rate is shown at once, then every half second until it is 0',
    () => ({}),
  )`
    key a | key b | key c | 2000 | 20000/500
    → 0 "0.0 keys a second"
    ${['0.7', '1.5', '1.0', '0.7', '0.5', '0.4', '0.3', '0.2', '0.1'].map(
      (rate, n) => `${n * 500} "${rate} keys a second"`,
    )}
    5500 "0.0 keys a second"`,
]

const page = [
  row(
    'functions/use-throttled-event: the progress is drawn once a frame, and ends where scrolling ends',
    () => {
      vi.spyOn(document.body, 'scrollHeight', 'get').mockReturnValue(window.innerHeight + 100)
      return {}
    },
    (page) => String(page.querySelector('progress')!.getAttribute('value')),
  )`
    ${upTo(9).map((n) => `scroll ${n * 5} | 5/1`)} | 20/1 | unmount | scroll 100
    → 0 "0" | 16 "0.2" | 32 "0.35" | 48 "0.45"`,
  row(
    'functions/use-throttled-resize: the columns follow the width, the first time too',
    () => ({ children: 'text' }),
    (page) => page.querySelector('div')!.style.columnCount,
  )`
    ${[900, 700, 650, 500, 410].map((width) => `resize ${width} | 10/1`)} | 100
    → 0 "1" | 16 "3" | 32 "2"`,
  row(
    'reading: the text shows how far it is read once a frame, and its columns as it is resized',
    () => {
      vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(1400)
      vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(400)
      return { children: 'Once upon a time' }
    },
    (page) =>
      `${page.querySelector('progress')!.getAttribute('value')}, ${page.querySelector<HTMLElement>('[role=region] > div')!.style.columns} columns`,
  )`
    scroll-text 100 | scroll-text 300 | scroll-text 500 | 50/1
    resize 700 | 50/1 | resize 1000 | 50/1 | resize 330 | 50/1 | 200
    → 0 "0, 1 columns" | 16 "0.5, 1 columns" | 64 "0.5, 2 columns" | 270 "0.5, 1 columns"`,
  row('functions/page-hidden: the note is saved at once when the page is left', noting('save'))`
    type milk | 200 | leave | 2000
    → 200 save milk`,
]

const fetches = [
  row(
    'functions/use-rate-limited-fetch: a 429 pauses all until its time is over, and nothing is lost',
    serving([ok('ada'), refused(), refused(), ok('bern'), ok('cork')], { ids: ['ada', 'bern', 'cork'] }),
  )`
    press | 4000
    → 0 /cities/ada | 0 /cities/bern | 0 /cities/cork
    2050 /cities/bern | 2100 /cities/cork | 2150 "ada, bern, cork"`,
  row(
    'functions/use-rate-limited-fetch: a pause above a minute is not waited for',
    serving([refused('300')], { ids: ['ada'] }),
  )`
    press | 100 | press | 100
    → 0 /cities/ada | 50 "Error: No city: 429" | 100 "RateLimitError: Call given up: wait-too-long"`,
  row(
    'infinite-scroll: the feed loads a page at a time, waits out a 429, offers a retry, and stops at the end',
    (note) => {
      vi.stubGlobal('IntersectionObserver', AlwaysInView)
      return serving([ok(['a', 'b']), refused(), ok(['c']), failed(404), ok(['d']), ok([])], {
        url: 'http://api.test/feed',
      })(note)
    },
    textOf,
  )`
    3000 | press | 1000
    → 0 /feed?page=1 | 50 "ab" | 50 /feed?page=2 | 2100 /feed?page=2 | 2150 "abc" | 2150 /feed?page=3
    2200 "abcTry again" | 3000 "abc" | 3000 /feed?page=3 | 3050 "abcd" | 3050 /feed?page=4`,
  row(
    'functions/use-rate-limit-status functions/use-rate-limited-fetch: the note counts the pause down, and disappears at its end',
    serving([refused(), ok('ada')], { ids: ['ada'] }),
  )`
    press | 4000
    → 0 /cities/ada | 50 "The server is busy. Again in 2 s." | 1050 "The server is busy. Again in 1 s."
    2050 /cities/ada | 2050 ""`,
  row(
    'pause-notice functions/use-rate-limited-fetch: the notice of a pause counts the queued requests, and the seconds, and disappears at its end',
    serving([refused()], { ids: ['ada'] }),
    (page) => page.querySelector('[role=status]')?.textContent ?? '',
  )`
    press | 100 | press | 4000
    → 0 /cities/ada | 50 "The server is busy. 1 waiting, 2 s to go."
    100 "The server is busy. 2 waiting, 2 s to go." | 1050 "The server is busy. 2 waiting, 1 s to go."
    2050 /cities/ada | 2050 "" | 2100 /cities/ada`,
  row(
    'functions/rate-limit-provider: two components share a limit, and the queued requests are counted',
    serving([]),
  )`
    click lint | click build | click build | 2000
    → 0 "0 waiting" | 0 /lint | 0 "1 waiting" | 0 "2 waiting" | 500 /build | 500 "1 waiting"
    1000 /build | 1000 "0 waiting"`,
  row(
    'progress: the progress counts completed and failed items, and shows how long the server is busy',
    serving([ok(), refused(), [failed(404), 60], ok()], {
      urls: ['/1', '/2', '/3'].map((path) => `http://api.test${path}`),
    }),
  )`
    press | 4000
    → 0 "0 of 3 done" | 0 /1 | 0 /2 | 0 /3 | 50 "1 of 3 done, the server is busy for 2 s"
    60 "1 of 3 done, 1 failed, the server is busy for 2 s"
    1050 "1 of 3 done, 1 failed, the server is busy for 1 s" | 2050 /2 | 2050 "1 of 3 done, 1 failed"
    2100 "2 of 3 done, 1 failed"`,
]

const tables = { values, calls, time, page, fetches }

it('has a row for every component recipe', () => {
  const played = Object.values(tables).flatMap((rows) => rows.flatMap(({ what }) => recipesOf(what)))
  const recipes = ['', 'functions/'].flatMap((path) =>
    readdirSync(join(import.meta.dirname, '../../docs/recipes', path))
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => path + name.replace('.tsx', '')),
  )
  expect([...new Set(played), 'functions/clock-provider'].sort()).toEqual(recipes.sort())
})

describe.each(modes)('%s', (mode) => {
  describe.each(Object.entries(tables))('%s', (_, rows) => {
    it.each(rows.map((row) => [row.what, row] as const))('%s', async (what, row) => {
      const modules = await Promise.all(
        recipesOf(what).map((recipe): Promise<object> => {
          const [folder, name] = recipe.split('/')
          return name
            ? import(`../../docs/recipes/functions/${name}.tsx`)
            : import(`../../docs/recipes/${folder!}.tsx`)
        }),
      )
      const parts = modules.map((module) => Object.values(module)[0] as ComponentType<Props>)
      const Part = (props: Props) => parts.map((Part, key) => <Part key={key} {...props} />)
      expect(await play(Part, row, mode === 'StrictMode')).toEqual(row.log)
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})

it('ClockProvider: advances time only when the test does', async () => {
  const { clock, advance } = renderOnClock(<HtmlEditor html="" />)
  fireEvent.change(screen.getByLabelText('HTML'), { target: { value: 'a' } })
  const preview = screen.getByTitle('Preview')
  await advance(499)
  expect(preview.getAttribute('srcdoc')).toBe('')
  await advance(1)
  expect(preview.getAttribute('srcdoc')).toBe('a')
  expect(clock.pending).toBe(0)
})
