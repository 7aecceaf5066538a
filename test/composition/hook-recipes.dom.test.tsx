import { act, fireEvent, screen } from '@testing-library/react'
import { RateLimitProvider } from 'lull'
import { createRateLimitedFetch } from 'lull/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Note } from '../../docs/recipes/autosave.tsx'
import { LikeButton } from '../../docs/recipes/like-button.tsx'
import { TitleField } from '../../docs/recipes/optimistic-save.tsx'
import { PauseNotice } from '../../docs/recipes/pause-notice.tsx'
import { ImportAll } from '../../docs/recipes/progress.tsx'
import { Reading } from '../../docs/recipes/reading.tsx'
import { SearchField } from '../../docs/recipes/search-field.tsx'
import { Cities } from '../../docs/recipes/start.tsx'
import { stubResizeObserver } from '../react/support/fake-resize-observer.ts'
import { createOnClock, modes, renderOn, type OnClock } from '../react/support/render-on-clock.tsx'
import { createScriptedFetch } from '../react/support/scripted-fetch.ts'

/** What was sent, and by which answer it ends, in the order of the sendings. */
let sent: { url: string; init: RequestInit | undefined; answer: (response: Response) => void }[] = []

beforeEach(() => {
  sent = []
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input)
    return new Promise<Response>((resolve) => sent.push({ url, init, answer: resolve }))
  })
})

afterEach(() => vi.unstubAllGlobals())

const type = (label: string, value: string): boolean =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

const advance = (onClock: OnClock, ms: number): Promise<void> => act(() => onClock.clock.advanceAsync(ms))

describe.each(modes)('the search field, %s', (mode) => {
  it('shows the answer to the last text, and the one before it meanwhile', async () => {
    const onClock = createOnClock(mode)
    renderOn(onClock, <SearchField url="http://api.test/" />)
    for (const text of ['p', 'pa', 'par']) {
      type('Search', text)
      await advance(onClock, 100)
    }
    await advance(onClock, 250)
    expect(sent.map(({ url }) => url)).toEqual(['http://api.test/?q=par'])
    sent[0]!.answer(Response.json(['Paris', 'Parma']))
    await advance(onClock, 0)
    type('Search', 'pari')
    expect(screen.getByText('Parma').parentElement!.style.opacity).toBe('0.5')
    await advance(onClock, 250)
    sent[1]!.answer(Response.json(['Paris']))
    await advance(onClock, 0)
    expect(screen.queryByText('Parma')).toBeNull()
    expect(screen.getByText('Paris').parentElement!.style.opacity).toBe('1')
  })

  it('sends nothing for a word that is being composed, then one request', async () => {
    const onClock = createOnClock(mode)
    renderOn(onClock, <SearchField url="http://api.test/" />)
    const field = screen.getByLabelText('Search')
    fireEvent.compositionStart(field)
    type('Search', 'きょ')
    await advance(onClock, 1000)
    expect(sent).toHaveLength(0)
    fireEvent.compositionEnd(field)
    type('Search', '京')
    await advance(onClock, 1000)
    expect(sent.map(({ url }) => decodeURIComponent(url))).toEqual(['http://api.test/?q=京'])
  })
})

describe.each(modes)('the note, %s', (mode) => {
  const bodies = (): unknown[] => sent.map(({ init }) => init?.body)

  it('saves one text at a time, and the last in the end', async () => {
    const onClock = createOnClock(mode)
    renderOn(onClock, <Note url="/note" text="" />)
    type('Note', 'a')
    await advance(onClock, 1000)
    for (const text of ['ab', 'abc']) {
      type('Note', text)
      await advance(onClock, 1000)
    }
    expect(bodies()).toEqual(['a'])
    expect(screen.getByText('saving …')).toBeTruthy()
    sent[0]!.answer(new Response())
    await advance(onClock, 0)
    expect(bodies()).toEqual(['a', 'abc'])
    sent[1]!.answer(new Response(null, { status: 507 }))
    await advance(onClock, 0)
    expect(screen.getByText('not saved: 507')).toBeTruthy()
    expect(onClock.clock.pending).toBe(0)
  })

  it('saves once, past the end of the page, when that is hidden, goes away and the note is unmounted', async () => {
    const onClock = createOnClock(mode)
    const { unmount } = renderOn(onClock, <Note url="/note" text="" />)
    type('Note', 'a')
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    act(() => void window.dispatchEvent(new Event('pagehide')))
    unmount()
    await onClock.clock.advanceAsync(20_000)
    expect(sent.map(({ init }) => [init?.body, init?.keepalive])).toEqual([['a', true]])
    expect(onClock.clock.pending).toBe(0)
    vi.restoreAllMocks()
  })

  it.each([
    [60_001, 'hidden', false],
    [1, 'visible', false],
    [1, 'hidden', true],
  ] as const)(
    'a text of %i bytes in a page that is %s is sent with keepalive: %s',
    async (bytes, state, keepalive) => {
      const onClock = createOnClock(mode)
      renderOn(onClock, <Note url="/note" text="" />)
      type('Note', 'x'.repeat(bytes))
      vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
      await advance(onClock, 1000)
      expect(sent.map(({ init }) => init?.keepalive)).toEqual([keepalive])
      vi.restoreAllMocks()
    },
  )
})

describe.each(modes)('the like button, %s', (mode) => {
  it('shows each click at once, saves the last state, one at a time, and says that a save failed', async () => {
    const onClock = createOnClock(mode)
    const saved: boolean[] = []
    let fail = (): void => {}
    const save = (isLiked: boolean): Promise<void> => {
      saved.push(isLiked)
      return new Promise((_, reject) => (fail = () => reject(new Error('offline'))))
    }
    renderOn(onClock, <LikeButton isLiked={false} save={save} />)
    for (let click = 1; click <= 5; click++) fireEvent.click(screen.getByRole('button'))
    expect(screen.getByRole('button').textContent).toBe('Liked')
    await advance(onClock, 500)
    fireEvent.click(screen.getByRole('button'))
    await advance(onClock, 5000)
    expect(saved).toEqual([true])
    fail()
    await advance(onClock, 0)
    expect(saved).toEqual([true, false])
    fail()
    await advance(onClock, 0)
    expect(screen.getByRole('alert').textContent).toContain('Not saved')
    expect(onClock.clock.pending).toBe(0)
  })
})

describe.each(modes)('the optimistic save, %s', (mode) => {
  it('shows an edit at once, and rolls back to the last saved text if the last save fails', async () => {
    const onClock = createOnClock(mode)
    const shown = (): string => screen.getByLabelText<HTMLInputElement>('Title').value
    const ends: ((error?: Error) => void)[] = []
    const save = (): Promise<void> =>
      new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())))
    renderOn(onClock, <TitleField title="old" save={save} />)
    type('Title', 'one')
    await advance(onClock, 500)
    ends[0]!()
    await advance(onClock, 0)
    type('Title', 'two')
    await advance(onClock, 500)
    type('Title', 'three')
    ends[1]!(new Error('offline'))
    await advance(onClock, 0)
    // A newer edit stays.
    expect(shown()).toBe('three')
    await advance(onClock, 500)
    ends[2]!(new Error('offline'))
    await advance(onClock, 0)
    expect(shown()).toBe('one')
    expect(screen.getByText('Not saved')).toBeTruthy()
    expect(onClock.clock.pending).toBe(0)
  })
})

describe.each(modes)('the progress, %s', (mode) => {
  it('counts what is done and what failed, and says how long the server is busy', async () => {
    const onClock = createOnClock(mode)
    renderOn(
      onClock,
      <RateLimitProvider options={{ maxRetries: 0, random: () => 0 }}>
        <ImportAll urls={['http://api.test/1', 'http://api.test/2', 'http://api.test/3']} />
      </RateLimitProvider>,
    )
    fireEvent.click(screen.getByRole('button'))
    await advance(onClock, 0)
    sent[0]!.answer(new Response())
    sent[1]!.answer(new Response(null, { status: 429, headers: { 'Retry-After': '2' } }))
    await advance(onClock, 0)
    const text = (): string | null => screen.getByRole('status').textContent
    expect(text()).toBe('1 of 3 done, 1 failed, the server is busy for 2 s')
    sent[2]!.answer(new Response())
    await advance(onClock, 3000)
    expect(text()).toBe('2 of 3 done, 1 failed')
  })
})

describe.each(modes)('the start, %s', (mode) => {
  it('asks once typing rests, aborts what is out of date, waits when told to, and leaves nothing behind', async () => {
    const onClock = createOnClock(mode)
    const { unmount } = renderOn(onClock, <Cities />)
    const texts = (): string[] => sent.map(({ url }) => new URL(url).searchParams.get('q')!)
    for (const text of ['p', 'pa', 'par']) {
      type('City', text)
      await advance(onClock, 100)
    }
    await advance(onClock, 150)
    expect(texts()).toEqual(['par'])
    const signals = (): (AbortSignal | null | undefined)[] => sent.map(({ init }) => init?.signal)
    type('City', 'pari')
    await advance(onClock, 250)
    expect(texts()).toEqual(['par', 'pari'])
    expect(signals().map((signal) => signal?.aborted)).toEqual([true, false])
    sent[1]!.answer(new Response(null, { status: 429, headers: { 'Retry-After': '2' } }))
    await advance(onClock, 1999)
    expect(sent).toHaveLength(2)
    // A tenth of the pause is added by chance.
    await advance(onClock, 300)
    expect(texts()).toEqual(['par', 'pari', 'pari'])
    sent[2]!.answer(Response.json(['Paris']))
    await advance(onClock, 0)
    expect(screen.getByText('Paris')).toBeTruthy()
    type('City', 'paris')
    await advance(onClock, 250)
    unmount()
    expect(signals().at(-1)?.aborted).toBe(true)
    expect(onClock.clock.pending).toBe(0)
  })
})

describe.each(modes)('the text that is read, %s', (mode) => {
  it('shows how far once a frame, and where the scrolling ends; and its columns as it is resized', () => {
    const layout = stubResizeObserver()
    const onClock = createOnClock(mode)
    const { unmount } = renderOn(onClock, <Reading>Once upon a time</Reading>)
    const text = screen.getByLabelText('Text')
    vi.spyOn(text, 'scrollHeight', 'get').mockReturnValue(1400)
    vi.spyOn(text, 'clientHeight', 'get').mockReturnValue(400)
    const shown = (): string | null => screen.getByLabelText('Read').getAttribute('value')
    for (const scrollTop of [100, 300, 500]) fireEvent.scroll(text, { target: { scrollTop } })
    expect(shown()).toBe('0')
    onClock.advance(16)
    expect(shown()).toBe('0.5')

    const columns: string[] = []
    for (const width of [700, 1000, 330]) {
      act(() => layout.resize(text, width))
      onClock.advance(50)
      columns.push(text.style.columns)
    }
    onClock.advance(150)
    expect([...columns, text.style.columns]).toEqual(['2', '2', '2', '1'])
    unmount()
    expect(onClock.clock.pending).toBe(0)
  })
})

describe.each(modes)('the notice of a pause, %s', (mode) => {
  it('counts the seconds down while the server has us wait, and is gone then', async () => {
    const onClock = createOnClock(mode)
    const server = createScriptedFetch(onClock.clock, [{ status: 429, headers: { 'Retry-After': '2' } }])
    const paced = createRateLimitedFetch({ clock: onClock.clock, fetch: server.fetch, random: () => 0 })
    renderOn(
      onClock,
      <RateLimitProvider fetch={paced}>
        <PauseNotice />
      </RateLimitProvider>,
    )
    const notice = (): string | null | undefined => screen.queryByRole('status')?.textContent
    act(() => void paced('http://api.test/'))
    expect(notice()).toBeUndefined()
    await advance(onClock, 20)
    expect(notice()).toBe('The server is busy. 1 waiting, 2 s to go.')
    act(() => void paced('http://api.test/'))
    await advance(onClock, 1000)
    expect(notice()).toBe('The server is busy. 2 waiting, 1 s to go.')
    await advance(onClock, 2000)
    expect(notice()).toBeUndefined()
    expect(onClock.clock.pending).toBe(0)
  })
})
