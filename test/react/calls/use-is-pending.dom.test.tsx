import { act } from '@testing-library/react'
import { useDebouncedCallback, useIsPending } from 'lull'
import { throttleFrame } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'

describe.each(modes)('useIsPending, %s', (mode) => {
  it('is true from the call to the run, to the cancel, to the flush', () => {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(
      onClock,
      () => {
        const debounced = useDebouncedCallback(() => undefined, 100)
        return { debounced, isPending: useIsPending(debounced) }
      },
      undefined,
    )
    for (const end of [
      () => onClock.clock.advance(100),
      result.current.debounced.cancel,
      result.current.debounced.flush,
    ]) {
      expect(result.current.isPending).toBe(false)
      act(() => result.current.debounced())
      expect(result.current.isPending).toBe(true)
      act(() => end())
    }
    expect(result.current.isPending).toBe(false)
  })

  it('stays false for a leading run with nothing after it', () => {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(
      onClock,
      () => {
        const debounced = useDebouncedCallback(() => undefined, 100, { leading: true })
        return { debounced, isPending: useIsPending(debounced) }
      },
      undefined,
    )
    act(() => result.current.debounced())
    expect(result.current.isPending).toBe(false)
  })

  it('serves throttleFrame too', () => {
    const onClock = createOnClock(mode)
    const framed = throttleFrame(() => undefined, { clock: onClock.clock })
    const { result } = renderHookOn(onClock, () => useIsPending(framed), undefined)
    act(() => framed())
    expect(result.current).toBe(true)
    onClock.advance(16)
    expect(result.current).toBe(false)
    expect(onClock.clock.pending).toBe(0)
  })
})
