import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Messages } from '../../../docs/recipes/functions/use-batch.tsx'
import { NameField } from '../../../docs/recipes/functions/use-debounced-async.tsx'
import { Draft } from '../../../docs/recipes/functions/use-debounced-callback.tsx'
import { Title } from '../../../docs/recipes/functions/use-is-pending.tsx'
import { Volume } from '../../../docs/recipes/functions/use-throttled-callback.tsx'
import { modes } from '../../react/support/render-on-clock.tsx'
import { createStage } from './stage.tsx'

afterEach(() => vi.restoreAllMocks())

describe.each(modes)('calls, %s', (mode) => {
  it('useDebouncedCallback: the draft is kept after a rest, at the latest after 5 s, and when one leaves', async () => {
    const { clock, show, type, pass, note, log, unmount } = createStage(mode)
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation((name, text) => note(`${name}: ${text}`))
    show(<Draft name="note" text="" />)
    type('note', 'a')
    await pass(400)
    type('note', 'ab')
    await pass(600)
    for (let length = 3; length < 17; length++) {
      type('note', 'abcdefghijklmnopqrst'.slice(0, length))
      await pass(400)
    }
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    await pass(100)
    type('note', 'end')
    unmount()
    await pass(10_000, 1000)
    expect(log).toEqual([
      '900 note: ab',
      '6000 note: abcdefghijklmno',
      '6600 note: abcdefghijklmnop',
      '6700 note: end',
    ])
    expect(clock.pending).toBe(0)
  })

  it('useThrottledCallback: the player hears at once, then every 100 ms, and of the last position', async () => {
    const { clock, show, type, pass, note, log } = createStage(mode)
    show(<Volume setVolume={(percent) => note(String(percent))} />)
    for (const percent of ['51', '52', '53', '54', '55', '56', '57']) {
      type('Volume', percent)
      await pass(40)
    }
    await pass(1000)
    expect(log).toEqual(['0 51', '100 53', '200 56', '300 57'])
    expect(clock.pending).toBe(0)
  })

  it('useIsPending: says that a title is not saved, and that it is', async () => {
    const { clock, show, type, pass, note, log } = createStage(mode)
    show(<Title save={(title) => note(`saved ${title}`)} />)
    for (const title of ['L', 'Lu']) {
      type('Title', title)
      await pass(500)
    }
    await pass(1000)
    expect(log).toEqual(['0 "not saved yet"', '1500 saved Lu', '1500 nothing'])
    expect(clock.pending).toBe(0)
  })

  it('useDebouncedAsync: a newer name aborts the question for the older one, whose answer is never shown', async () => {
    const { clock, show, type, pass, note, log } = createStage(mode)
    // The server takes 500 ms, and does not stop when it is told to.
    function isFree(name: string, signal: AbortSignal): Promise<boolean> {
      note(`asks for ${name}`)
      signal.addEventListener('abort', () => note(`no longer for ${name}`))
      return new Promise((resolve) => clock.after(500, () => resolve(name !== 'ada')))
    }
    show(<NameField isFree={isFree} />)
    type('Name', 'ad')
    await pass(200)
    type('Name', 'ada')
    await pass(400)
    type('Name', 'adam')
    await pass(2000)
    expect(log).toEqual([
      '0 "checking …"',
      '500 asks for ada',
      '900 no longer for ada',
      '900 asks for adam',
      '1400 "free"',
    ])
    expect(clock.pending).toBe(0)
  })

  it('useBatch: what is read is told together, once, 20 at most, and when one leaves', async () => {
    const { clock, show, pass, note, log, unmount } = createStage(mode)
    const texts = Array.from({ length: 30 }, (_, index) => `m${index}`)
    function markRead(read: string[]): Promise<void> {
      note(`${read.length}, from ${read[0]!}`)
      return read.length < 20 ? Promise.resolve() : Promise.reject(new Error('too many'))
    }
    show(<Messages texts={texts} markRead={markRead} />)
    async function read(from: number, to: number): Promise<void> {
      for (const text of texts.slice(from, to)) {
        fireEvent.mouseEnter(screen.getByText(text))
        await pass(10)
      }
    }
    await read(0, 3)
    await read(0, 3)
    await pass(1000)
    await read(0, 25)
    await pass(100)
    unmount()
    await pass(1000)
    expect(log).toEqual([
      '550 3, from m0',
      '1250 20, from m0',
      '1260 "Some messages stay marked as new."',
      '1410 5, from m20',
    ])
    expect(clock.pending).toBe(0)
  })
})
