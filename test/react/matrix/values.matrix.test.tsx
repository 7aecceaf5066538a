import { act, startTransition } from 'react'
import { describe, expect, it } from 'vitest'
import { lives, mount } from '../support/render-on-clock.tsx'
import { Abandoning, Autosave, Filter, Follow, Search, Silent } from './value-consumers.tsx'

const alphabet = 'abcdefghijklmnopqrst'

describe.each(lives)('%s', (mode) => {
  it('useDebounce shows a burst of 20 characters once it stops changing, in 21 commits', async () => {
    const { clock, container, commits, type, advance, unmount } = await mount(mode, () => <Search />)
    await type(alphabet)
    expect(container.textContent).toBe('')
    await advance(1000)
    expect(container.textContent).toBe(alphabet)
    expect(commits()).toBe(21)
    expect(clock.pending).toBe(0)
    await type('u')
    await unmount()
    expect(clock.pending).toBe(0)
  })

  it('useThrottle shows the first character at once, then one value every 100 ms, and the last', async () => {
    const { clock, container, commits, type, advance, unmount } = await mount(mode, () => <Follow />)
    await type('a', 40)
    expect(container.textContent).toBe('a')
    await type('bcdef', 40)
    // At 0, 100 and 200 ms.
    expect(container.textContent).toBe('abcdef')
    expect(commits()).toBe(6 + 3)
    await advance(1000)
    expect(container.textContent).toBe('abcdef')
    expect(clock.pending).toBe(0)
    await type('g')
    await unmount()
    expect(clock.pending).toBe(0)
  })

  it('useDebouncedCallback runs once, with the last argument and the callback of the last commit', async () => {
    const log: string[] = []
    const { clock, container, type, advance, click, unmount } = await mount(mode, () => (
      <Autosave log={(entry) => log.push(entry)} />
    ))
    expect(container.textContent).toContain('saved')
    await type('abc')
    expect(container.textContent).toContain('pending')
    expect(log).toEqual([])
    await advance(100)
    expect(log).toEqual(['abc of abc'])
    expect(container.textContent).toContain('saved')
    await type('d')
    await click('Drop')
    expect(container.textContent).toContain('saved')
    await advance(1000)
    expect(log).toHaveLength(1)
    await type('e')
    await click('Save')
    expect(log).toEqual(['abc of abc', 'abcde of abcde'])
    await type('f')
    await unmount()
    expect(log).toEqual(['abc of abc', 'abcde of abcde', 'abcdef of abcdef'])
    expect(clock.pending).toBe(0)
  })

  it('rerenders no component that does not subscribe', async () => {
    const log: string[] = []
    const { clock, commits, type, advance, unmount } = await mount(mode, () => (
      <Silent log={(entry) => log.push(entry)} />
    ))
    await type('abcd')
    await advance(1000)
    expect(log).toEqual(['saw a', 'saw abcd', 'saved abcd'])
    expect(commits()).toBe(0)
    await type('e')
    await unmount()
    await clock.advanceAsync(1000)
    expect(log).toHaveLength(4)
    expect(clock.pending).toBe(0)
  })

  it('useDebouncedState sets a settled value, drops a reverted one, and sets at once with `immediate`', async () => {
    const { clock, container, advance, click, unmount } = await mount(mode, () => <Filter />)
    const shown = (): string => container.querySelector('p')!.textContent
    await click('Red')
    expect(shown()).toBe('none …')
    await click('None')
    expect(shown()).toBe('none')
    expect(clock.pending).toBe(0)
    await click('Red')
    await advance(100)
    expect(shown()).toBe('red')
    await click('None')
    await click('Blue now')
    expect(shown()).toBe('blue')
    await advance(1000)
    expect(shown()).toBe('blue')
    await click('Red')
    await unmount()
    expect(clock.pending).toBe(0)
  })

  it('continues as before when hidden by Activity or a fallback, and shown again', async () => {
    const log: string[] = []
    const { container, type, advance, hide, show } = await mount(mode, () => (
      <Autosave log={(entry) => log.push(entry)} />
    ))
    await type('a')
    await hide()
    // Activity cancels the pending call as an unmount does; behind a fallback it still runs.
    expect(log).toEqual(mode === 'Activity' ? ['a of a'] : [])
    await advance(1000)
    expect(log).toEqual(['a of a'])
    await show()
    expect(container.textContent).toContain('saved')
    await type('b')
    await advance(100)
    expect(log).toEqual(['a of a', 'ab of ab'])
  })

  it('ignores the callback and the value of an abandoned transition', async () => {
    const log: string[] = []
    const seen: string[] = []
    let go: (page: string) => void = () => undefined
    const { clock, container, click, advance, unmount } = await mount(mode, () => (
      <Abandoning
        log={(entry) => log.push(entry)}
        onPage={(set) => (go = set)}
        onShown={(text) => seen.push(text)}
      />
    ))
    await click('Call')
    act(() => startTransition(() => go('never')))
    await advance(1000)
    expect(log).toEqual(['called on first'])
    expect(clock.pending).toBe(0)
    await click('Call')
    act(() => go('second'))
    await advance(1000)
    expect(log).toEqual(['called on first', 'called on second'])
    expect([...new Set(seen)]).toEqual(['first', 'second'])
    expect(container.textContent).toContain('second')
    await unmount()
    expect(clock.pending).toBe(0)
  })
})
