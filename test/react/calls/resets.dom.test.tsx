import { act } from '@testing-library/react'
import { useDebounce, useDebouncedState, useThrottledCallback, type SetDebounced } from 'lull'
import { useEffect } from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'

describe.each(modes)('a reset, a revert and "now please", %s', (mode) => {
  function renderText(): { text: () => string; set: SetDebounced<string>; advance: (ms: number) => void } & {
    isPending: () => boolean
  } {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(onClock, () => useDebouncedState('kept', 100), undefined)
    const [, set, debounced] = result.current
    return {
      text: () => result.current[0],
      set: (...args) => act(() => set(...args)),
      advance: onClock.advance,
      isPending: () => debounced.isPending() || onClock.clock.pending > 0,
    }
  }

  it.each<[what: string, after: (set: SetDebounced<string>) => void, expected: string]>([
    ['typed and deleted again', (set) => set('kept'), 'kept'],
    ['cleared at once', (set) => set('', { immediate: true }), ''],
    ['reset at once to what is shown', (set) => set('kept', { immediate: true }), 'kept'],
  ])('%s: nothing is set late', (_, after, expected) => {
    const { text, set, advance, isPending } = renderText()
    set('kept and more')
    advance(50)
    after(set)
    expect(text()).toBe(expected)
    expect(isPending()).toBe(false)
    advance(10_000)
    expect(text()).toBe(expected)
  })

  it('useDebounce: a value that is reset while it is pending never shows what was typed', () => {
    const onClock = createOnClock(mode)
    const seen = new Set<string>()
    const { rerender } = renderHookOn(
      onClock,
      ({ text }) => {
        const shown = useDebounce(text, 100)
        useEffect(() => void seen.add(shown), [shown])
      },
      { text: '' },
    )
    rerender({ text: 'typed' })
    onClock.advance(99)
    rerender({ text: '' })
    onClock.advance(10_000)
    expect([...seen]).toEqual([''])
  })

  it('Enter runs what is pending now, and not again', () => {
    const onClock = createOnClock(mode)
    const runs: string[] = []
    const { result } = renderHookOn(
      onClock,
      () => useThrottledCallback((text: string) => runs.push(text), 100, { leading: false }),
      undefined,
    )
    result.current('typed')
    result.current.flush()
    expect(runs).toEqual(['typed'])
    onClock.advance(10_000)
    expect(runs).toEqual(['typed'])
  })
})
