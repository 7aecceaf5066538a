import { useDebounce, useDebouncedState, useThrottle } from 'lull'
import { startTransition, Suspense, use, useInsertionEffect, useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createStage, inTask, modes } from '../support/mount-on-clock.tsx'

describe.each(modes)('a debounced value, %s', (mode) => {
  it('settles though the component renders more often than the wait, with a literal made anew each time', async () => {
    const stage = createStage(mode)
    const Box = ({ n }: { n: number }): ReactNode => JSON.stringify(useDebounce({ n }, 100))
    await stage.render(<Box n={1} />)
    for (let i = 0; i < 4; i++) {
      await stage.render(<Box n={2} />)
      await stage.advance(25)
    }
    expect(stage.container.textContent).toBe('{"n":2}')
    expect(stage.clock.pending).toBe(0)
  })

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

  it.each([
    ['useDebounce', useDebounce],
    ['useThrottle', useThrottle],
  ] as const)('of %s is the same object after an excursion to another value and back', async (_, useHeld) => {
    const stage = createStage(mode)
    const shown = new Set<number[]>()
    function Box({ n }: { n: number }): ReactNode {
      const own = useHeld([n], 100, { leading: false })
      useInsertionEffect(() => void shown.add(own), [own])
      return null
    }
    await stage.render(<Box n={1} />)
    await stage.render(<Box n={2} />)
    await stage.advance(50)
    await stage.render(<Box n={1} />)
    await stage.advance(1000)
    expect([...shown]).toEqual([[1]])
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

  it('that was abandoned with its transition is never shown', async () => {
    const stage = createStage(mode)
    const never = new Promise<void>(() => undefined)
    const seen: string[] = []
    function Box({ value }: { value: string }): ReactNode {
      const own = useDebounce(value, 100)
      useLayoutEffect(() => void seen.push(own), [own])
      if (value === 'abandoned') use(never)
      return own
    }
    await stage.render(<Box value="a" />)
    await inTask(() => startTransition(() => void stage.render(<Box value="abandoned" />)))
    await stage.advance(500)
    await stage.render(<Box value="b" />)
    await stage.advance(500)
    expect(new Set(seen)).toEqual(new Set(['a', 'b']))
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
})
