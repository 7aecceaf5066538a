import { act, fireEvent, screen } from '@testing-library/react'
import { useDebouncedCallback } from 'lull'
import { useLayoutEffect, useState, type ReactNode } from 'react'
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

  it('keeps its identity, and that of its methods, over 50 renders with inline callback and options', () => {
    const onClock = createOnClock(mode)
    const fn = vi.fn()
    const { result, rerender } = renderHookOn(
      onClock,
      ({ n }) => useDebouncedCallback(() => void fn(n), 100, { leading: false, maxWait: 1000 }),
      { n: 0 },
    )
    const first = result.current
    const { cancel, flush, isPending, configure } = first
    first()
    for (let n = 1; n <= 50; n++) rerender({ n })
    expect(result.current).toBe(first)
    expect({ cancel, flush, isPending, configure }).toEqual({
      cancel: result.current.cancel,
      flush: result.current.flush,
      isPending: result.current.isPending,
      configure: result.current.configure,
    })
    onClock.advance(100)
    expect(fn.mock.calls).toEqual([[50]])
  })

  it('runs the callback of the last commit, for a call that came before it', () => {
    const onClock = createOnClock(mode)
    const seen: string[] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ state }) => useDebouncedCallback((text: string) => seen.push(`${text} ${state}`), 100),
      { state: 'old' },
    )
    result.current('typed')
    rerender({ state: 'new' })
    onClock.advance(100)
    expect(seen).toEqual(['typed new'])
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

  it('applies a changed option to what is pending: due the new wait after the last call', () => {
    const onClock = createOnClock(mode)
    const runs: number[] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ wait }) => useDebouncedCallback(() => runs.push(onClock.clock.now()), wait),
      { wait: 1000 },
    )
    result.current()
    onClock.advance(50)
    rerender({ wait: 100 })
    onClock.advance(49)
    expect(runs).toEqual([])
    onClock.advance(1)
    expect(runs).toEqual([100])
  })

  it('goes back to the default when an option is taken away', () => {
    const onClock = createOnClock(mode)
    const runs: number[] = []
    const limited: { maxWait: number | undefined } = { maxWait: 100 }
    const { result, rerender } = renderHookOn(
      onClock,
      ({ maxWait }: { maxWait: number | undefined }) =>
        useDebouncedCallback(() => runs.push(onClock.clock.now()), 100, { maxWait }),
      limited,
    )
    rerender({ maxWait: undefined })
    for (let i = 0; i < 5; i++) {
      result.current()
      onClock.advance(60)
    }
    expect(runs).toEqual([])
    onClock.advance(40)
    expect(runs).toEqual([340])
  })

  it('drops what is pending when it is unmounted, leaves no timer and ignores later calls', () => {
    const onClock = createOnClock(mode)
    const fn = vi.fn()
    const { result, unmount } = renderHookOn(
      onClock,
      () => useDebouncedCallback(fn, 100, { leading: true }),
      undefined,
    )
    result.current('first')
    result.current('pending')
    expect(fn.mock.calls).toEqual([['first']])
    unmount()
    expect(onClock.clock.pending).toBe(0)
    result.current('late')
    expect(onClock.clock.pending).toBe(0)
    onClock.advance(1000)
    expect(fn.mock.calls).toEqual([['first']])
  })

  it('with onUnmount flush runs once, in the unmount itself, with the last arguments and the latest callback', () => {
    const onClock = createOnClock(mode)
    const saved: string[] = []
    const { result, rerender, unmount } = renderHookOn(
      onClock,
      ({ who, onUnmount }: { who: string; onUnmount: 'cancel' | 'flush' }) =>
        useDebouncedCallback((text: string) => saved.push(`${text} by ${who}`), 100, { onUnmount }),
      { who: 'nobody', onUnmount: 'cancel' },
    )
    result.current('a')
    result.current('ab')
    rerender({ who: 'me', onUnmount: 'flush' })
    unmount()
    expect(saved).toEqual(['ab by me'])
    onClock.advance(1000)
    expect(saved).toEqual(['ab by me'])
    expect(onClock.clock.pending).toBe(0)
  })

  it('with onUnmount flush runs nothing if nothing was called', () => {
    const onClock = createOnClock(mode)
    const fn = vi.fn()
    const { unmount } = renderHookOn(
      onClock,
      () => useDebouncedCallback(fn, 100, { onUnmount: 'flush' }),
      undefined,
    )
    unmount()
    expect(fn).not.toHaveBeenCalled()
  })

  it('renders nothing anew by itself', () => {
    const onClock = createOnClock(mode)
    let renders = 0
    function Box(): ReactNode {
      const debounced = useDebouncedCallback(() => undefined, 100)
      renders++
      return <button onClick={() => debounced()}>call</button>
    }
    renderOn(onClock, <Box />)
    const mounted = renders
    for (let i = 0; i < 20; i++) fireEvent.click(screen.getByText('call'))
    onClock.advance(1000)
    expect(renders).toBe(mounted)
  })

  it('may set state in its callback', () => {
    const onClock = createOnClock(mode)
    function Box(): ReactNode {
      const [text, setText] = useState('')
      const debounced = useDebouncedCallback(setText, 100)
      return <button onClick={() => debounced('called')}>{text || 'call'}</button>
    }
    renderOn(onClock, <Box />)
    fireEvent.click(screen.getByText('call'))
    onClock.advance(100)
    expect(screen.getByText('called')).toBeTruthy()
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

it('throws in the render for a bad wait', () => {
  const onClock = createOnClock()
  const error = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(() => renderHookOn(onClock, () => useDebouncedCallback(() => undefined, NaN), undefined)).toThrow(
    new RangeError('Expected wait >= 0, got NaN'),
  )
  error.mockRestore()
})
