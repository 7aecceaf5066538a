import { act } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Boundary } from '../support/boundary.tsx'
import { createOnClock, modes, renderHookOn, renderOn } from '../support/render.tsx'
import { dueIn, stubSizes, subjects, WAIT, type Call } from './subjects.tsx'

stubSizes()

const timed = subjects.filter(({ isFrame }) => !isFrame)

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
