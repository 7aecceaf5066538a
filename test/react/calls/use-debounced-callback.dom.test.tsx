import { act } from '@testing-library/react'
import { useDebouncedCallback } from 'lull'
import { useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createOnClock, modes, renderHookOn, renderOn } from '../support/render-on-clock.tsx'

describe.each(modes)('useDebouncedCallback, %s', (mode) => {
  it('runs once, with the last arguments, after the wait', () => {
    const onClock = createOnClock(mode)
    const fn = vi.fn<(text: string) => void>()
    const { result } = renderHookOn(onClock, () => useDebouncedCallback(fn, 100), undefined)
    for (const text of ['a', 'ab', 'abc']) {
      result.current(text)
      onClock.advance(50)
    }
    expect(fn).not.toHaveBeenCalled()
    onClock.advance(50)
    expect(fn.mock.calls).toEqual([['abc']])
    expect(onClock.clock.pending).toBe(0)
  })

  it('lets a layout effect of the same commit flush into the callback of that commit', () => {
    const onClock = createOnClock(mode)
    const seen: number[] = []
    function Child({ n }: { n: number }): ReactNode {
      const debounced = useDebouncedCallback(() => seen.push(n), 100)
      useLayoutEffect(() => {
        if (n === 0) return
        debounced()
        debounced.flush()
      }, [debounced, n])
      return null
    }
    const { rerender } = renderOn(onClock, <Child n={0} />)
    rerender(<Child n={1} />)
    expect(seen).toEqual([1])
  })

  it('keeps `this` and answers what the last run returned', () => {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(
      onClock,
      () =>
        useDebouncedCallback(
          function (this: { factor: number }, n: number) {
            return n * this.factor
          },
          100,
          { leading: true },
        ),
      undefined,
    )
    expect(result.current.call({ factor: 3 }, 14)).toBe(42)
    act(() => result.current.cancel())
  })
})
