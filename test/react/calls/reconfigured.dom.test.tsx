import { act } from '@testing-library/react'
import { useDebouncedCallback, useThrottledEvent } from 'lull'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'
import { holdingHooks } from '../support/holding-hooks.ts'

describe.each(modes)('the wait changes while a call is pending, %s', (mode) => {
  it.each(holdingHooks)(
    '%s runs it the new wait after the last call, sooner or later',
    async (_, useHeld) => {
      const onClock = createOnClock(mode)
      const runs: [text: string, at: number][] = []
      const { result, rerender } = renderHookOn(
        onClock,
        ({ wait }) => useHeld((text) => runs.push([text, onClock.clock.now()]), wait),
        { wait: 1000 },
      )
      act(() => result.current('sooner'))
      onClock.advance(50)
      rerender({ wait: 100 })
      onClock.advance(50)
      expect(runs).toEqual([['sooner', 100]])
      await act(() => onClock.clock.advanceAsync(900))
      act(() => result.current('later'))
      onClock.advance(50)
      rerender({ wait: 1000 })
      onClock.advance(949)
      expect(runs).toHaveLength(1)
      onClock.advance(1)
      expect(runs[1]).toEqual(['later', 2000])
      expect(onClock.clock.pending).toBe(0)
    },
  )

  it('a wait that has passed already runs it in the next task, and an endless one holds it, without loss', () => {
    const onClock = createOnClock(mode)
    const runs: [text: string, at: number][] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ wait }) => useDebouncedCallback((text: string) => runs.push([text, onClock.clock.now()]), wait),
      { wait: 1000 },
    )
    result.current('held')
    rerender({ wait: Infinity })
    onClock.advance(1e9)
    expect(runs).toEqual([])
    rerender({ wait: 100 })
    expect(runs).toEqual([])
    onClock.advance(0)
    expect(runs).toEqual([['held', 1e9]])
  })

  it('an event that is pending is handled when its wait becomes a frame, and the other way', () => {
    const onClock = createOnClock(mode)
    const target = new EventTarget()
    const runs: string[] = []
    const waits: { wait: number | 'frame' } = { wait: 1000 }
    const { rerender } = renderHookOn(
      onClock,
      ({ wait }: { wait: number | 'frame' }) =>
        useThrottledEvent(
          target,
          'text',
          (event: Event) => runs.push((event as CustomEvent<string>).detail),
          wait,
          { leading: false },
        ),
      waits,
    )
    target.dispatchEvent(new CustomEvent('text', { detail: 'timed' }))
    rerender({ wait: 'frame' })
    onClock.advance(1000)
    expect(runs).toEqual(['timed'])
    target.dispatchEvent(new CustomEvent('text', { detail: 'framed' }))
    rerender({ wait: 1000 })
    onClock.advance(1000)
    expect(runs).toEqual(['timed', 'framed'])
    expect(onClock.clock.pending).toBe(0)
  })
})
