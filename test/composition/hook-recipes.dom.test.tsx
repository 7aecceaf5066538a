import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Note } from '../../docs/recipes/autosave.tsx'
import { SearchField } from '../../docs/recipes/search-field.tsx'
import { createOnClock, modes, renderOn, type OnClock } from '../react/render-on-clock.tsx'

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
})
