import { act } from '@testing-library/react'
import { useDebounce } from 'lull'
import { lazy, Profiler, startTransition, Suspense, useState, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderHookOn, renderOn } from '../support/render-on-clock.tsx'

describe.each(modes)('useDebounce, %s', (mode) => {
  it('answers the first value at once, and starts no timer on mount', () => {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(onClock, () => useDebounce('a', 100), undefined)
    expect(result.current).toBe('a')
    expect(onClock.clock.pending).toBe(0)
  })

  it('answers a new value once it has rested', () => {
    const onClock = createOnClock(mode)
    const { result, rerender } = renderHookOn(onClock, ({ text }) => useDebounce(text, 100), { text: 'a' })
    rerender({ text: 'ab' })
    onClock.advance(99)
    rerender({ text: 'abc' })
    onClock.advance(99)
    expect(result.current).toBe('a')
    onClock.advance(1)
    expect(result.current).toBe('abc')
    expect(onClock.clock.pending).toBe(0)
  })

  it('renders once more, and no more, for a burst of 20 values', () => {
    const onClock = createOnClock(mode)
    let commits = 0
    const Box = ({ text }: { text: string }): ReactNode => useDebounce(text, 100)
    const box = (text: string): ReactNode => (
      <Profiler id="box" onRender={() => commits++}>
        <Box text={text} />
      </Profiler>
    )
    const { container, rerender } = renderOn(onClock, box(''))
    commits = 0
    for (let n = 1; n <= 20; n++) {
      rerender(box('x'.repeat(n)))
      onClock.advance(30)
    }
    onClock.advance(1000)
    expect(commits).toBe(21)
    expect(container.textContent).toBe('x'.repeat(20))
  })

  it('shows nothing of a value that was there for a moment and went back', () => {
    const onClock = createOnClock(mode)
    const seen = new Set<string>()
    const { rerender } = renderHookOn(onClock, ({ text }) => seen.add(useDebounce(text, 100)), { text: 'a' })
    rerender({ text: 'ab' })
    onClock.advance(50)
    rerender({ text: 'a' })
    onClock.advance(1000)
    expect([...seen]).toEqual(['a'])
    expect(onClock.clock.pending).toBe(0)
  })

  it('with leading answers the first change at once', () => {
    const onClock = createOnClock(mode)
    const { result, rerender } = renderHookOn(onClock, ({ n }) => useDebounce(n, 100, { leading: true }), {
      n: 0,
    })
    rerender({ n: 1 })
    expect(result.current).toBe(1)
    rerender({ n: 2 })
    expect(result.current).toBe(1)
    onClock.advance(100)
    expect(result.current).toBe(2)
  })

  it('with maxWait does not wait longer for a value that never rests', () => {
    const onClock = createOnClock(mode)
    const { result, rerender } = renderHookOn(onClock, ({ n }) => useDebounce(n, 100, { maxWait: 250 }), {
      n: 0,
    })
    for (let n = 1; n <= 5; n++) {
      rerender({ n })
      onClock.advance(50)
    }
    expect(result.current).toBe(5)
  })

  it('with equals lets objects made anew in each render be', () => {
    const onClock = createOnClock(mode)
    let renders = 0
    const { result, rerender } = renderHookOn(
      onClock,
      ({ id }) => {
        renders++
        return useDebounce({ id }, 100, { equals: (a, b) => a.id === b.id })
      },
      { id: 1 },
    )
    const first = result.current
    const mounted = renders
    onClock.advance(1000)
    expect(renders).toBe(mounted)
    rerender({ id: 1 })
    expect(result.current).toBe(first)
    rerender({ id: 2 })
    onClock.advance(100)
    expect(result.current).toEqual({ id: 2 })
    onClock.advance(1000)
    expect(onClock.clock.pending).toBe(0)
  })

  it('keeps a value that is a function, and does not call it', () => {
    const onClock = createOnClock(mode)
    const one = (): never => {
      throw new Error('called')
    }
    const other = (): never => one()
    const { result, rerender } = renderHookOn(onClock, ({ fn }) => useDebounce(fn, 100), { fn: one })
    expect(result.current).toBe(one)
    rerender({ fn: other })
    onClock.advance(100)
    expect(result.current).toBe(other)
  })

  it('never shows the value of a transition that was abandoned', () => {
    const onClock = createOnClock(mode)
    const Never = lazy(() => new Promise<never>(() => undefined))
    const seen = new Set<string>()
    let setText: (text: string) => void = () => undefined
    function Box(): ReactNode {
      const [text, set] = useState('a')
      setText = set
      seen.add(useDebounce(text, 100))
      return <Suspense>{text === 'abandoned' && <Never />}</Suspense>
    }
    renderOn(onClock, <Box />)
    act(() => startTransition(() => setText('abandoned')))
    onClock.advance(1000)
    act(() => setText('b'))
    onClock.advance(1000)
    expect([...seen]).toEqual(['a', 'b'])
  })
})
