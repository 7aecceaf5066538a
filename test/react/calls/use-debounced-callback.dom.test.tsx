import { act } from '@testing-library/react'
import { pageHidden, pageHide, useDebouncedCallback, type Triggers } from 'lull'
import { useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderHookOn, renderOn } from '../support/render-on-clock.tsx'

describe.each(modes)('useDebouncedCallback, %s', (mode) => {
  it('has the triggers of the last commit', () => {
    const onClock = createOnClock(mode)
    const runs: string[] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ flushOn }) => useDebouncedCallback((text: string) => runs.push(text), 100, { flushOn }),
      { flushOn: [pageHidden] as Triggers },
    )
    const leaveWith = (text: string): void => {
      result.current(text)
      dispatchEvent(new Event('pagehide'))
    }
    leaveWith('a')
    rerender({ flushOn: [pageHidden, pageHide] })
    leaveWith('b')
    rerender({ flushOn: [] })
    leaveWith('c')
    expect(runs).toEqual(['b'])
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
