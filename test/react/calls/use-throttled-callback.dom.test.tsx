import { useThrottledCallback } from 'lull'
import { describe, expect, it, vi } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'

describe.each(modes)('useThrottledCallback, %s', (mode) => {
  it('runs at once, then every wait, and answers for the last call', () => {
    const onClock = createOnClock(mode)
    const runs: [number, number][] = []
    const { result } = renderHookOn(
      onClock,
      () => useThrottledCallback((n: number) => runs.push([onClock.clock.now(), n]), 100),
      undefined,
    )
    for (let n = 0; n < 10; n++) {
      result.current(n)
      onClock.advance(25)
    }
    onClock.advance(1000)
    expect(runs).toEqual([
      [0, 0],
      [100, 3],
      [200, 7],
      [300, 9],
    ])
    expect(onClock.clock.pending).toBe(0)
  })

  it('keeps its distance when the wait changes while a run is pending, and loses nothing', () => {
    const onClock = createOnClock(mode)
    const runs: [number, string][] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ wait }) => useThrottledCallback((text: string) => runs.push([onClock.clock.now(), text]), wait),
      { wait: 1000 },
    )
    result.current('first')
    onClock.advance(10)
    result.current('last')
    rerender({ wait: 200 })
    onClock.advance(1000)
    expect(runs).toEqual([
      [0, 'first'],
      [200, 'last'],
    ])
  })

  it('runs only the last of a burst with leading off, and only the first with trailing off', () => {
    const onClock = createOnClock(mode)
    const last = vi.fn()
    const first = vi.fn()
    const { result } = renderHookOn(
      onClock,
      () => ({
        last: useThrottledCallback(last, 100, { leading: false }),
        first: useThrottledCallback(first, 100, { trailing: false }),
      }),
      undefined,
    )
    for (const n of [1, 2, 3]) {
      result.current.last(n)
      result.current.first(n)
    }
    onClock.advance(1000)
    expect([last.mock.calls, first.mock.calls]).toEqual([[[3]], [[1]]])
  })

  it('leaves no timer when it is unmounted', () => {
    const onClock = createOnClock(mode)
    const fn = vi.fn()
    const { result, unmount } = renderHookOn(onClock, () => useThrottledCallback(fn, 100), undefined)
    result.current(1)
    result.current(2)
    unmount()
    expect(onClock.clock.pending).toBe(0)
    expect(fn.mock.calls).toEqual([[1]])
  })
})
