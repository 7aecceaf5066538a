import { useDebounce, useDebouncedState, useThrottle } from 'lull'
import { startTransition, Suspense, use, useInsertionEffect, useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createStage, inTask, modes } from '../support/render-on-clock.tsx'

describe.each(modes)('a debounced value, %s', (mode) => {
  it('of useDebouncedState that is set back keeps its burst: the next value does not lead', async () => {
    const stage = createStage(mode)
    let set: (n: number) => void
    function Box(): ReactNode {
      const [n, setN] = useDebouncedState(0, 100, { leading: true, maxWait: 100 })
      useInsertionEffect(() => {
        set = setN
      })
      return n
    }
    await stage.render(<Box />)
    const shown: string[] = []
    for (const n of [1, 2, 1, 3]) {
      await inTask(() => set(n))
      shown.push(stage.container.textContent)
      await stage.advance(10)
    }
    expect(shown).toEqual(['1', '1', '1', '1'])
    await stage.advance(100)
    expect(stage.container.textContent).toBe('3')
    expect(stage.clock.pending).toBe(0)
  })

  it('that is back before its transition ends is not shown in between', async () => {
    const stage = createStage(mode)
    const seen: string[] = []
    let resolve: () => void
    const loaded = new Promise<void>((settle) => (resolve = settle))
    function View({ query }: { query: string }): ReactNode {
      if (query === 'b') use(loaded)
      useLayoutEffect(() => void seen.push(query), [query])
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
    expect(new Set(seen)).toEqual(new Set(['a']))
    expect(stage.container.textContent).toBe('a')
  })

  it('of useDebouncedState may be a function, NaN or undefined', async () => {
    const stage = createStage(mode)
    const called: string[] = []
    const f = (): void => void called.push('f')
    const g = (): void => void called.push('g')
    let state: ReturnType<typeof useDebouncedState<unknown>>
    function Box(): ReactNode {
      const own = useDebouncedState<unknown>(f, 100)
      useInsertionEffect(() => {
        state = own
      })
      return null
    }
    await stage.render(<Box />)
    expect(state![0]).toBe(f)
    for (const value of [g, NaN, undefined, f]) {
      await inTask(() => state[1](value))
      await stage.advance(100)
      expect(state![0]).toBe(value)
      // Set to what it is: nothing to wait for.
      await inTask(() => state[1](value))
      expect(stage.clock.pending).toBe(0)
    }
    await inTask(() => state[1](g, { immediate: true }))
    expect(state![0]).toBe(g)
    expect(called).toEqual([])
  })

  it('of useDebouncedState that is set at once replaces what is pending', async () => {
    const stage = createStage(mode)
    let state: ReturnType<typeof useDebouncedState<string>>
    const seen: string[] = []
    function Box(): ReactNode {
      const own = useDebouncedState('', 100, { commit: startTransition })
      useInsertionEffect(() => {
        state = own
      })
      useLayoutEffect(() => void seen.push(own[0]))
      return null
    }
    await stage.render(<Box />)
    await inTask(() => state[1]('typed'))
    await inTask(() => state[1]('', { immediate: true }))
    await stage.advance(1000)
    expect(new Set(seen)).toEqual(new Set(['']))
    await inTask(() => state[1]('typed'))
    await inTask(() => state[1]('cleared', { immediate: true }))
    await stage.advance(1000)
    expect(new Set(seen)).toEqual(new Set(['', 'cleared']))
    expect(stage.clock.pending).toBe(0)
  })

  it('of useDebounce may be a function, which is not called', async () => {
    const stage = createStage(mode)
    const one = (): string => 'one'
    const other = (): string => 'other'
    const seen = new Set<() => string>()
    function Box({ fn }: { fn: () => string }): ReactNode {
      const own = useDebounce(fn, 100)
      useInsertionEffect(() => void seen.add(own))
      return null
    }
    await stage.render(<Box fn={one} />)
    await stage.render(<Box fn={other} />)
    await stage.advance(100)
    expect([...seen]).toEqual([one, other])
  })
})
