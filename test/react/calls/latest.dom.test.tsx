import { act } from '@testing-library/react'
import { pageHide, useDebouncedCallback, useThrottledResize } from 'lull'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'
import { stubResizeObserver } from '../support/fake-resize-observer.ts'
import { holdingHooks } from '../support/holding-hooks.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe.each(modes)('the latest callback, the last arguments, %s', (mode) => {
  const ends: [name: string, options: object, end: (all: Ends) => void][] = [
    ['the wait', {}, ({ advance }) => advance(1000)],
    ['maxWait', { maxWait: 1000 }, ({ advance }) => advance(1000)],
    ['a flush', {}, ({ flush }) => flush()],
    ['the unmount', { onUnmount: 'flush' }, ({ unmount }) => unmount()],
    ['pagehide', { flushOn: [pageHide] }, () => void dispatchEvent(new Event('pagehide'))],
  ]
  interface Ends {
    advance: (ms: number) => void
    flush: () => void
    unmount: () => void
  }

  it.each(ends)('a call made at 0, and run by %s, sees the state of 100', (_, options, end) => {
    const onClock = createOnClock(mode)
    const seen: string[] = []
    const { result, rerender, unmount } = renderHookOn(
      onClock,
      ({ state }) =>
        useDebouncedCallback((text: string) => seen.push(`${text} at ${state}`), 1000, { ...options }),
      { state: 0 },
    )
    result.current('first')
    result.current('last')
    rerender({ state: 100 })
    end({ ...onClock, flush: result.current.flush, unmount })
    expect(seen).toEqual(['last at 100'])
  })

  it.each(holdingHooks)('%s sees it too', (_, useHeld) => {
    const onClock = createOnClock(mode)
    const seen: string[] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ state }) => useHeld((text) => seen.push(`${text} at ${state}`), 1000),
      { state: 0 },
    )
    act(() => result.current('first'))
    act(() => result.current('last'))
    rerender({ state: 100 })
    onClock.advance(1000)
    expect(seen).toEqual(['last at 100'])
  })

  it('useThrottledResize calls the handler of the last commit', () => {
    const onClock = createOnClock(mode)
    const layout = stubResizeObserver()
    const element = document.createElement('div')
    const seen: string[] = []
    const { rerender } = renderHookOn(
      onClock,
      ({ state }) =>
        useThrottledResize(element, ({ contentRect }) => seen.push(`${contentRect.width} at ${state}`)),
      { state: 0 },
    )
    layout.resize(element, 50)
    rerender({ state: 100 })
    onClock.advance(16)
    expect(seen).toEqual(['50 at 100'])
  })
})
