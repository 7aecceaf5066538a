import { useDebounce, useThrottle, useThrottledEvent, useThrottledResize } from 'lull'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { stubResizeObserver } from '../support/fake-resize-observer.ts'
import { holdingHooks } from '../support/holding-hooks.ts'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

const valueHooks = [
  ['useDebounce', useDebounce],
  ['useThrottle', useThrottle],
] as const

describe.each(modes)('nothing runs on mount, %s', (mode) => {
  it.each(holdingHooks)('%s makes no run and no timer', (_, useHeld) => {
    const onClock = createOnClock(mode)
    const save = vi.fn()
    renderHookOn(onClock, () => useHeld(save, 100), undefined)
    expect(onClock.clock.pending).toBe(0)
    onClock.advance(1000)
    expect(save).not.toHaveBeenCalled()
  })

  it.each(valueHooks)('%s answers the first value in the first render, without a timer', (_, useValue) => {
    const onClock = createOnClock(mode)
    const seen: string[] = []
    renderHookOn(onClock, () => void seen.push(useValue('first', 100)), undefined)
    expect(new Set(seen)).toEqual(new Set(['first']))
    expect(onClock.clock.pending).toBe(0)
  })

  it.each([
    ['useDebounce', (value: number) => useDebounce(value, 100, { leading: true })],
    ['useThrottle', (value: number) => useThrottle(value, 100)],
  ])('%s does not spend the leading edge on the first value', (_, useValue) => {
    const onClock = createOnClock(mode)
    const { result, rerender } = renderHookOn(onClock, ({ value }) => useValue(value), { value: 0 })
    rerender({ value: 1 })
    expect(result.current).toBe(1)
  })

  it('useThrottledEvent and useThrottledResize lead with the first event, however soon it comes', () => {
    const onClock = createOnClock(mode)
    const layout = stubResizeObserver()
    const target = document.createElement('div')
    const runs: string[] = []
    renderHookOn(
      onClock,
      () => {
        useThrottledEvent(target, 'scroll', () => runs.push('scroll'), 1000)
        useThrottledResize(target, ({ contentRect }) => runs.push(`${contentRect.width} wide`), 1000)
      },
      undefined,
    )
    expect(runs).toEqual([])
    target.dispatchEvent(new Event('scroll'))
    expect(runs).toEqual(['scroll'])
    layout.resize(target, 300)
    onClock.advance(16)
    expect(runs).toEqual(['scroll', '300 wide'])
  })
})
