import { act, cleanup, render } from '@testing-library/react'
import { useDebounce, useDebouncedCallback, useThrottledEvent } from 'lull'
import { useEffect, useState, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { fakeTimers, type FakeTimers } from '../../core/time/fake-timers.ts'

function Search({ onSearch }: { onSearch: (text: string) => void }): ReactNode {
  const [text, setText] = useState('')
  const rested = useDebounce(text, 300)
  const search = useDebouncedCallback(onSearch, 300)
  useThrottledEvent(window, 'scroll', () => onSearch('scrolled'))
  useEffect(() => {
    if (rested) onSearch(`rested ${rested}`)
  }, [onSearch, rested])
  return (
    <button
      onClick={({ currentTarget }) => {
        setText(currentTarget.value)
        search(currentTarget.value)
      }}
    />
  )
}

describe.each(fakeTimers)('a component in a test with fake timers, %s', (_, install) => {
  /** Restores in the same task: whoever runs this test needs the real timers between two steps of it. */
  function withSearch(
    when: 'before' | 'after',
    test: (timers: FakeTimers, type: (text: string) => void, searched: string[]) => void,
  ): void {
    // Where performance is not faked it goes on in real time; how fast, must not decide whether this test passes.
    let now = performance.now()
    const real = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.01))
    const searched: string[] = []
    const show = (): HTMLElement =>
      render(<Search onSearch={(text) => searched.push(text)} />).container.querySelector('button')!
    let button = when === 'before' ? show() : undefined
    const timers = install()
    try {
      button ??= show()
      const type = (text: string): void => {
        button!.setAttribute('value', text)
        act(() => button!.click())
      }
      test(timers, type, searched)
      // React has timers of its own, and takes them along.
      act(() => timers.runAll())
      cleanup()
      expect(timers.count()).toBe(0)
    } finally {
      timers.restore()
      real.mockRestore()
    }
  }

  it.each(['before', 'after'] as const)(
    'runs once, by the millisecond, if rendered %s they are faked',
    (when) => {
      withSearch(when, (timers, type, searched) => {
        type('lu')
        type('lull')
        act(() => timers.advance(299))
        expect(searched).toEqual([])
        act(() => timers.advance(1))
        expect(searched).toEqual(['lull', 'rested lull'])
        act(() => timers.advance(3000))
        expect(searched).toHaveLength(2)
      })
    },
  )

  it('comes to an end when all timers are run', () => {
    withSearch('after', (timers, type, searched) => {
      type('lull')
      dispatchEvent(new Event('scroll'))
      act(() => timers.runAll())
      expect([...searched].sort()).toEqual(['lull', 'rested lull', 'scrolled'])
      act(() => timers.runAll())
      expect(searched).toHaveLength(3)
    })
  })
})
