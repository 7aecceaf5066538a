import { act, startTransition } from 'react'
import { describe, expect, it } from 'vitest'
import { lives, mount } from '../support/render-on-clock.tsx'
import { Abandoning } from './abandoning-consumer.tsx'

describe.each(lives)('%s', (mode) => {
  it('neither runs the callback nor shows the value of a transition that is abandoned', async () => {
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
