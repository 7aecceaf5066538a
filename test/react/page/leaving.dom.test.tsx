import { act, fireEvent, render } from '@testing-library/react'
import { pageHidden, pageHide, useDebouncedAsync, useDebouncedState } from 'lull'
import { StrictMode, useEffect, type ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'
import { holdingHooks } from '../support/holding-hooks.ts'

/** The page is put into the background, or comes back. */
function setVisibility(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  fireEvent(document, new Event('visibilitychange'))
}

const pagehide = (): void => void fireEvent(window, new Event('pagehide'))

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(modes)('a pending call is not thrown away on leaving, %s', (mode) => {
  describe.each(holdingHooks)('%s', (_, useHeld) => {
    it('runs it in the unmount itself, once, with the last arguments and the latest callback', () => {
      const onClock = createOnClock(mode)
      const saved: string[] = []
      const { result, rerender, unmount } = renderHookOn(
        onClock,
        ({ as }) => useHeld((text) => saved.push(`${text} as ${as}`), 1000, { onUnmount: 'flush' }),
        { as: 'draft 1' },
      )
      act(() => result.current('h'))
      act(() => result.current('he'))
      rerender({ as: 'draft 2' })
      expect(saved).toEqual([])
      unmount()
      expect(saved).toEqual(['he as draft 2'])
      onClock.advance(10_000)
      expect(saved).toEqual(['he as draft 2'])
      expect(onClock.clock.pending).toBe(0)
    })

    it('runs nothing on unmount, or in the second mount of StrictMode, with nothing pending', () => {
      const onClock = createOnClock(mode)
      const saved: string[] = []
      const useHook = () => useHeld((text) => saved.push(text), 1000, { onUnmount: 'flush' })
      const idle = renderHookOn(onClock, useHook, undefined)
      expect(saved).toEqual([])
      idle.unmount()
      expect(saved).toEqual([])
      const { result, unmount } = renderHookOn(onClock, useHook, undefined)
      act(() => result.current('hello'))
      onClock.advance(1000)
      unmount()
      expect(saved).toEqual(['hello'])
    })

    it.each([
      ['hidden, then pagehide', [() => setVisibility('hidden'), pagehide]],
      ['pagehide, then hidden', [pagehide, () => setVisibility('hidden')]],
      ['hidden, pagehide and the unmount', [() => setVisibility('hidden'), pagehide]],
      ['hidden twice', [() => setVisibility('hidden'), () => setVisibility('hidden')]],
    ])('runs it once for %s', (_, steps) => {
      const onClock = createOnClock(mode)
      const saved: string[] = []
      const { result, unmount } = renderHookOn(
        onClock,
        () =>
          useHeld((text) => saved.push(text), 1000, {
            onUnmount: 'flush',
            flushOn: [pageHidden, pageHide],
          }),
        undefined,
      )
      act(() => result.current('hello'))
      steps[0]!()
      expect(saved).toEqual(['hello'])
      for (const step of steps) step()
      unmount()
      onClock.advance(10_000)
      expect(saved).toEqual(['hello'])
      expect(onClock.clock.pending).toBe(0)
    })

    it('goes on as before when the page is shown again, and does nothing as it is shown', async () => {
      const onClock = createOnClock(mode)
      const saved: string[] = []
      const { result } = renderHookOn(
        onClock,
        () => useHeld((text) => saved.push(text), 1000, { flushOn: [pageHidden] }),
        undefined,
      )
      act(() => result.current('before'))
      setVisibility('hidden')
      act(() => result.current('after'))
      setVisibility('visible')
      expect(saved).toEqual(['before'])
      await act(() => onClock.clock.advanceAsync(1000))
      expect(saved).toEqual(['before', 'after'])
    })

    it('by default drops it on unmount, and listens for no leaving', () => {
      const onClock = createOnClock(mode)
      const saved: string[] = []
      const { result, unmount } = renderHookOn(
        onClock,
        () => useHeld((text) => saved.push(text), 1000),
        undefined,
      )
      act(() => result.current('hello'))
      setVisibility('hidden')
      pagehide()
      unmount()
      onClock.advance(10_000)
      expect(saved).toEqual([])
    })
  })

  it('sets a state that is pending before the component is gone, so that an effect can save it', () => {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(
      onClock,
      () => useDebouncedState('', 1000, { flushOn: [pageHidden] }),
      undefined,
    )
    act(() => result.current[1]('hello'))
    setVisibility('hidden')
    expect(result.current[0]).toBe('hello')
    expect(onClock.clock.pending).toBe(0)
  })

  it('lets a save that is in flight end, and one behind it', async () => {
    const onClock = createOnClock(mode)
    const saves: string[] = []
    const { result, unmount } = renderHookOn(
      onClock,
      () =>
        useDebouncedAsync(
          async (signal, text: string) => {
            await new Promise<void>((resolve) => onClock.clock.after(500, resolve))
            saves.push(`${text}${signal.aborted ? ' (aborted)' : ''}`)
          },
          100,
          { overlap: 'queue', onUnmount: 'flush' },
        ),
      undefined,
    )
    act(() => void result.current.run('first'))
    await act(() => onClock.clock.advanceAsync(100))
    act(() => void result.current.run('second'))
    unmount()
    await act(() => onClock.clock.advanceAsync(2000))
    expect(saves).toEqual(['first', 'second'])
    expect(onClock.clock.pending).toBe(0)
  })
})

describe('no timer outlives the component', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  // Without a clock of our own: what is counted are the timers of the platform.
  it.each(holdingHooks)('%s leaves none after an unmount in the midst of a burst', (_, useHeld) => {
    vi.useFakeTimers()
    const save = vi.fn<(text: string) => void>()
    let call!: (text: string) => void
    function Editor(): ReactNode {
      const held = useHeld(save, 1000)
      useEffect(() => {
        call = held
      }, [held])
      return null
    }
    const before = vi.getTimerCount()
    const { unmount } = render(
      <StrictMode>
        <Editor />
      </StrictMode>,
    )
    act(() => call('hello'))
    expect(vi.getTimerCount()).toBeGreaterThan(before)
    unmount()
    expect(vi.getTimerCount()).toBe(before)
    act(() => call('late'))
    expect(vi.getTimerCount()).toBe(before)
    vi.advanceTimersByTime(10_000)
    expect(save).not.toHaveBeenCalled()
  })
})
