import { act, screen } from '@testing-library/react'
import { useDebounce, useDebouncedCallback } from 'lull'
import { startTransition, Suspense, use, useEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { holdingHooks, type Call } from '../support/holding-hooks.ts'
import { createOnClock, modes, renderHookOn, renderOn } from '../support/render-on-clock.tsx'

/** What suspends is awaited by an `act` that is awaited, else React goes no further. */
const inTask = (callback: () => void): Promise<void> =>
  act(async () => {
    callback()
    await Promise.resolve()
  })

const never = new Promise<never>(() => undefined)

describe.each(modes)('only what is committed counts, and as of the commit, %s', (mode) => {
  it('flush in a layout effect of commit N runs the callback of commit N', () => {
    const onClock = createOnClock(mode)
    const seen: string[] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ n }) => {
        const debounced = useDebouncedCallback((from: string) => seen.push(`${from} in commit ${n}`), 100)
        useLayoutEffect(() => {
          if (n > 0) debounced.flush()
        }, [debounced, n])
        return debounced
      },
      { n: 0 },
    )
    result.current('called before')
    rerender({ n: 1 })
    expect(seen).toEqual(['called before in commit 1'])
    expect(onClock.clock.pending).toBe(0)
  })

  it.each(holdingHooks)('%s: a render that suspends never leaks its callback', async (_, useHeld) => {
    const onClock = createOnClock(mode)
    const saved: string[] = []
    const call = vi.fn<Call>()
    let setVersion!: (version: number) => void
    function Editor({ version }: { version: number }): ReactNode {
      const held = useHeld((text) => saved.push(`${text} in version ${version}`), 100)
      useEffect(() => void call.mockImplementation(held), [held])
      if (version === 1) use(never)
      return `version ${version}`
    }
    function Page(): ReactNode {
      const [version, set] = useState(0)
      useEffect(() => void (setVersion = set), [])
      return (
        <Suspense fallback="fallback">
          <Editor version={version} />
        </Suspense>
      )
    }
    renderOn(onClock, <Page />)
    act(() => call('hello'))
    await inTask(() => startTransition(() => setVersion(1)))
    expect(screen.getByText('version 0')).toBeTruthy()
    await act(() => onClock.clock.advanceAsync(100))
    expect(saved).toEqual(['hello in version 0'])
    await inTask(() => setVersion(2))
    act(() => call('again'))
    onClock.advance(100)
    expect(saved).toEqual(['hello in version 0', 'again in version 2'])
  })

  it('a value of a render that suspends is never shown', async () => {
    const onClock = createOnClock(mode)
    const seen = new Set<string>()
    function Shown({ text }: { text: string }): ReactNode {
      const shown = useDebounce(text, 100)
      useEffect(() => void seen.add(shown), [shown])
      if (text === 'abandoned') use(never)
      return shown
    }
    let setText!: (text: string) => void
    function Page(): ReactNode {
      const [text, set] = useState('first')
      useEffect(() => void (setText = set), [])
      return (
        <Suspense fallback="fallback">
          <Shown text={text} />
        </Suspense>
      )
    }
    renderOn(onClock, <Page />)
    await inTask(() => startTransition(() => setText('abandoned')))
    onClock.advance(1000)
    await inTask(() => setText('last'))
    onClock.advance(1000)
    expect([...seen]).toEqual(['first', 'last'])
    expect(onClock.clock.pending).toBe(0)
  })
})
