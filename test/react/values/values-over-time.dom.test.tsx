import { useDebounce, useDebouncedState } from 'lull'
import { startTransition, Suspense, use, useInsertionEffect, useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, createStage, inTask, modes, renderHookOn } from '../support/render.tsx'

describe.each(modes)('a debounced value, %s', (mode) => {
  function renderState<T>(initial: T, options?: Parameters<typeof useDebouncedState<T>>[2]) {
    const seen = new Set<T>()
    const { result, ...rendered } = renderHookOn(createOnClock(mode), () => {
      const state = useDebouncedState<T>(initial, 100, options)
      useLayoutEffect(() => void seen.add(state[0]))
      return state
    })
    type Set = (typeof result.current)[1]
    const set = (...args: Parameters<Set>): Promise<void> => inTask(() => result.current[1](...args))
    return { ...rendered, set, shown: () => result.current[0], seen }
  }

  it('continues its burst when set back: the next value does not lead', async () => {
    const { set, shown, advanceAsync } = renderState(0, { leading: true, maxWait: 100 })
    // Setting the current value begins no burst.
    for (const n of [0, 1, 2, 1, 3]) {
      await set(n)
      expect(shown()).toBe(Math.min(n, 1))
      await advanceAsync(10)
    }
    await advanceAsync(100)
    expect(shown()).toBe(3)
  })

  it('stays the same object when set to an equal one', async () => {
    const first = [1]
    const { set, shown } = renderState(first)
    await set([1], { immediate: true })
    expect(shown()).toBe(first)
  })

  it('may be an uncalled function, NaN or undefined', async () => {
    const called: string[] = []
    const f = (): void => void called.push('f')
    const g = (): void => void called.push('g')
    const { set, shown, advanceAsync, clock } = renderState<unknown>(f)
    expect(shown()).toBe(f)
    for (const value of [g, NaN, undefined, f]) {
      await set(value)
      await advanceAsync(100)
      expect(shown()).toBe(value)
      // Set to its current value: nothing is pending.
      await set(value)
      expect(clock.pending).toBe(0)
    }
    await set(g, { immediate: true })
    expect(shown()).toBe(g)
    const value = renderHookOn(createOnClock(mode), (fn: () => void) => useDebounce(fn, 100), f)
    value.rerender(g)
    expect(value.result.current).toBe(f)
    expect(called).toEqual([])
    value.unmount()
  })

  it('replaces the pending value when set at once', async () => {
    const { set, seen, advanceAsync } = renderState('', { commit: startTransition })
    await set('typed')
    await set('', { immediate: true })
    await advanceAsync(1000)
    expect([...seen]).toEqual([''])
    await set('typed')
    await set('cleared', { immediate: true })
    await advanceAsync(1000)
    expect([...seen]).toEqual(['', 'cleared'])
  })

  it('does not show an intermediate value when set back before its transition ends', async () => {
    const stage = createStage(mode)
    const seen = new Set<string>()
    let resolve: () => void
    const loaded = new Promise<void>((settle) => (resolve = settle))
    function View({ query }: { query: string }): ReactNode {
      if (query === 'b') use(loaded)
      useInsertionEffect(() => void seen.add(query), [query])
      return query
    }
    const Box = ({ value }: { value: string }): ReactNode => (
      <View query={useDebounce(value, 100, { commit: startTransition })} />
    )
    const show = (value: string): Promise<void> =>
      stage.render(
        <Suspense fallback="waiting">
          <Box value={value} />
        </Suspense>,
      )
    await show('a')
    await show('b')
    await stage.advance(100)
    expect(stage.container.textContent).toBe('a')
    await show('a')
    await stage.advance(1000)
    await inTask(() => resolve())
    await stage.advance(1000)
    expect([...seen]).toEqual(['a'])
    expect(stage.container.textContent).toBe('a')
  })
})
