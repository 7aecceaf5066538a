import { act } from '@testing-library/react'
import { useInsertionEffect, useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Boundary } from '../support/boundary.tsx'
import { createOnClock, modes, renderHookOn, renderOn } from '../support/render-on-clock.tsx'
import { dueIn, stubSizes, subjects, WAIT, type Call } from './subjects.tsx'

stubSizes()

const timed = subjects.filter(({ isFrame }) => !isFrame)
const callbacks = subjects.filter(({ isValue }) => !isValue)

describe.each(modes)('hooks that delay calls, %s', (mode) => {
  it.each(subjects)('$name causes no run and no timer on mount', ({ useHeld }) => {
    const { clock, advance, ...onClock } = createOnClock(mode)
    const save = vi.fn<Call>()
    const options = { leading: true, onUnmount: 'flush' } as const
    const { unmount } = renderHookOn(onClock, () => useHeld(save, WAIT, options))
    expect(clock.pending).toBe(0)
    advance(1000)
    unmount()
    expect(save).not.toHaveBeenCalled()
  })

  it.each(subjects)(
    '$name keeps its identity over 50 renders with inline options, and runs the last callback once',
    async (subject) => {
      const { advanceAsync, ...onClock } = createOnClock(mode)
      const saved: string[] = []
      const { result, rerender } = renderHookOn(
        onClock,
        ({ n }) =>
          subject.useHeld((text) => saved.push(`${text} in render ${n}`), WAIT, {
            onUnmount: 'cancel',
            flushOn: [],
          }),
        { n: 0 },
      )
      const call = result.current
      act(() => call('h'))
      act(() => call('hello'))
      for (let n = 1; n <= 50; n++) {
        rerender({ n })
        if (n % 25 === 0) {
          expect(saved).toEqual([])
          await advanceAsync(dueIn(subject) / 2)
        }
      }
      expect(result.current).toBe(call)
      expect(saved).toEqual(['hello in render 50'])
      await advanceAsync(1000)
      expect(saved).toHaveLength(1)
    },
  )

  it.each(callbacks)('$name ends a pending call in the commit that removes it', ({ useHeld }) => {
    const { clock, ...onClock } = createOnClock(mode)
    let call!: Call
    let pending: number | undefined
    function Box(): ReactNode {
      const held = useHeld(() => undefined, WAIT)
      useInsertionEffect(() => void (call = held))
      return null
    }
    function Page({ isShown }: { isShown: boolean }): ReactNode {
      useLayoutEffect(() => {
        if (!isShown) pending = clock.pending
      }, [isShown])
      return isShown && <Box />
    }
    const { rerender } = renderOn(onClock, <Page isShown />)
    act(() => call('pending'))
    expect(clock.pending).toBeGreaterThan(0)
    rerender(<Page isShown={false} />)
    expect(pending).toBe(0)
  })

  it.each(timed)('$name runs its pending call after the new wait when it changes', async ({ useHeld }) => {
    const { clock, advanceAsync, ...onClock } = createOnClock(mode)
    const runs: [text: string, at: number][] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ wait }) => useHeld((text) => runs.push([text, clock.now()]), wait),
      { wait: 1000 },
    )
    act(() => result.current('kept'))
    await advanceAsync(10)
    rerender({ wait: 100 })
    await advanceAsync(89)
    expect(runs).toEqual([])
    await advanceAsync(1)
    expect(runs).toEqual([['kept', 100]])
  })
})

it.each(timed)('$name throws to the boundary for an invalid new wait, and leaves no timer', (subject) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const onClock = createOnClock('StrictMode')
  const save = vi.fn<Call>()
  let call: Call
  function Box({ wait }: { wait: number }): ReactNode {
    const held = subject.useHeld(save, wait)
    return <button ref={() => void (call = held)} />
  }
  const page = (wait: number): ReactNode => (
    <Boundary>
      <Box wait={wait} />
    </Boundary>
  )
  const { container, rerender } = renderOn(onClock, page(100))
  act(() => call('pending'))
  rerender(page(-1))
  expect(container.textContent).toBe('Expected wait >= 0, got -1')
  act(() => call('late'))
  expect(onClock.clock.pending).toBe(0)
  onClock.advance(1000)
  expect(save).not.toHaveBeenCalled()
})
