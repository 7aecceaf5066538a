import { createLimiter, createRateMeter, tokenBucket } from 'lull/core'
import { createRateLimitedFetch } from 'lull/fetch'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { stubResizeObserver, type FakeLayout } from '../support/fake-resize-observer.ts'
import { createScriptedFetch, refusal } from '../support/scripted-fetch.ts'
import { lives, mount } from '../support/render-on-clock.tsx'
import { Likes, Limits, Limited, Page, Save, Suggest } from './pacing-consumers.tsx'

let layout: FakeLayout

beforeEach(() => void (layout = stubResizeObserver()))
afterEach(() => vi.unstubAllGlobals())

describe.each(lives)('%s', (mode) => {
  it('useDebouncedAsync shows the result of the last call, and the previous one until then', async () => {
    const asked: [text: string, signal: AbortSignal, end: (text: string) => void][] = []
    const ask = (signal: AbortSignal, text: string): Promise<string> =>
      new Promise((resolve) => asked.push([text, signal, resolve]))
    const { clock, container, type, advance, unmount } = await mount(mode, () => <Suggest ask={ask} />)
    const shown = (): string => container.querySelector('p')!.textContent
    expect(shown()).toBe('idle: nothing')
    await type('a', 100)
    expect(shown()).toBe('pending: nothing')
    await type('b', 100)
    expect(asked.map(([text, { aborted }]) => [text, aborted])).toEqual([
      ['a', true],
      ['ab', false],
    ])
    await act(async () => {
      asked[1]![2]('second')
      asked[0]![2]('first')
      await Promise.resolve()
    })
    expect(shown()).toBe('success: second')
    await type('c')
    expect(shown()).toBe('pending: second, stale')
    await advance(100)
    await unmount()
    expect(asked[2]![1].aborted).toBe(true)
    expect(clock.pending).toBe(0)
  })

  it('useDebouncedAsync with a queue saves in order, and the last text on unmount', async () => {
    const log: string[] = []
    const { clock, container, type, unmount } = await mount(mode, (clock) => {
      const save = async (text: string): Promise<void> => {
        log.push(`begin ${text}`)
        await new Promise<void>((resolve) => clock.after(300, resolve))
        log.push(`end ${text}`)
      }
      return <Save save={save} />
    })
    await type('a', 100)
    await type('b', 100)
    await type('c')
    expect(container.querySelector('p')!.textContent).toBe('pending')
    await act(() => window.dispatchEvent(new Event('pagehide')))
    await unmount()
    await clock.advanceAsync(1000)
    expect(log).toEqual(['begin a', 'end a', 'begin abc', 'end abc'])
    expect(clock.pending).toBe(0)
  })

  it('useBatch sends once, with the callback of the last commit, and the rest on unmount', async () => {
    const log: string[] = []
    const { clock, click, advance, unmount } = await mount(mode, () => (
      <Likes log={(entry) => log.push(entry)} />
    ))
    await click('Like')
    await click('Like')
    await advance(100)
    await click('Like')
    await unmount()
    expect(log).toEqual(['1,2 of 2', '3 of 3'])
    expect(clock.pending).toBe(0)
  })

  it('useLimiter and useRateMeter show events, and stop after them', async () => {
    const { clock, container, click, advance, unmount } = await mount(mode, (clock) => (
      <Limits
        limiter={createLimiter(tokenBucket({ ratePerSecond: 1, burst: 2 }), { clock })}
        meter={createRateMeter({ clock })}
      />
    ))
    const shown = (): string => container.querySelector('p')!.textContent
    expect(shown()).toBe('0 denied, idle')
    for (let n = 0; n < 3; n++) await click('Try')
    expect(shown()).toBe('1 denied, busy')
    await advance(60_000)
    expect(shown()).toBe('1 denied, idle')
    expect(clock.pending).toBe(0)
    await click('Try')
    await unmount()
    expect(clock.pending).toBe(0)
  })

  it('useRateLimitStatus and useCountdown count down the seconds of a refusal, with one commit each', async () => {
    const { clock, container, commits, click, advance, unmount } = await mount(mode, (clock) => {
      const server = createScriptedFetch(clock, [refusal])
      return <Limited fetch={createRateLimitedFetch({ clock, fetch: server.fetch, random: () => 0 })} />
    })
    const shown = (): string => container.querySelector('p')!.textContent
    await click('Fetch')
    expect(shown()).toBe('open')
    await advance(20)
    expect(shown()).toBe('in 2 s')
    const commitsBefore = commits()
    await advance(1000)
    expect(shown()).toBe('in 1 s')
    expect(commits() - commitsBefore).toBe(1)
    await advance(1000)
    expect(shown()).toBe('open')
    await advance(60_000)
    await click('Fetch')
    await unmount()
    await clock.advanceAsync(1000)
    expect(clock.pending).toBe(0)
  })

  it('useThrottledEvent handles the first and the last event, with the callback of the last commit', async () => {
    const log: string[] = []
    const { clock, container, click, advance, unmount } = await mount(mode, () => (
      <Page log={(entry) => log.push(entry)} />
    ))
    const scroll = (): boolean => window.dispatchEvent(new Event('scroll'))
    await advance(20)
    log.length = 0
    for (let n = 0; n < 4; n++) {
      scroll()
      await advance(30)
    }
    await click('Render')
    scroll()
    await advance(1000)
    // At 0, 100 and 200 ms.
    expect(log).toEqual(['scroll in 0', 'scroll in 0', 'scroll in 1'])
    log.length = 0
    const box = container.querySelector('div')!
    for (const clientX of [1, 2, 3]) box.dispatchEvent(new MouseEvent('pointermove', { clientX }))
    expect(log).toEqual([])
    await advance(16)
    expect(log).toEqual(['pointer at 3'])
    expect(clock.pending).toBe(0)
    scroll()
    box.dispatchEvent(new MouseEvent('pointermove'))
    await unmount()
    scroll()
    expect(clock.pending).toBe(0)
    await clock.advanceAsync(1000)
    expect(log).toEqual(['pointer at 3', 'scroll in 1'])
  })

  it('useThrottledResize handles the last size of a frame', async () => {
    const log: string[] = []
    const { clock, container, advance, unmount } = await mount(mode, () => (
      <Page log={(entry) => log.push(entry)} />
    ))
    await advance(20)
    log.length = 0
    const box = container.querySelector('div')!
    for (const width of [1, 2, 3]) layout.resize(box, width)
    expect(log).toEqual([])
    await advance(16)
    expect(log).toEqual(['3 wide'])
    layout.resize(box, 4)
    await unmount()
    await clock.advanceAsync(1000)
    expect(log).toEqual(['3 wide'])
    expect(layout.observed.now).toBe(0)
  })
})
