import { act, render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { useLimiter } from 'lull'
import { afterEach, expect, it, vi } from 'vitest'

/** Something of which time changes a part: whoever asks twice is answered twice. */
function createDrifting() {
  const listeners = new Set<() => void>()
  let value = 'first'
  let reads = 0
  return {
    snapshot: () => ({ value, reads: ++reads }),
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change(next: string) {
      value = next
      for (const listener of listeners) listener()
    },
  }
}

afterEach(() => vi.restoreAllMocks())

it('answers React the same twice in a row, though time has changed what is read', () => {
  const errors = vi.spyOn(console, 'error')
  const drifting = createDrifting()
  const renders: string[] = []
  function Box() {
    const { value } = useLimiter(drifting)
    renders.push(value)
    return value
  }
  render(<Box />, { reactStrictMode: false })
  act(() => drifting.change('second'))
  expect(screen.getByText('second')).toBeTruthy()
  expect(errors.mock.calls).toEqual([])
  // Each reading is another object, so the one at the subscription renders once.
  expect(renders).toEqual(['first', 'first', 'second'])
})

it('shows what changed between its render and its subscription', () => {
  const drifting = createDrifting()
  function Box() {
    const value = useLimiter(drifting, (snapshot) => snapshot.value)
    useLayoutEffect(() => drifting.change('changed early'), [])
    return value
  }
  render(<Box />)
  expect(screen.getByText('changed early')).toBeTruthy()
})

it('throws what select throws in the render, and not into who tells of the change', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const drifting = createDrifting()
  function Box() {
    return useLimiter(drifting, ({ value }) => {
      if (value === 'bad') throw new Error('cannot read that')
      return value
    })
  }
  render(<Box />)
  expect(() => act(() => drifting.change('bad'))).toThrow('cannot read that')
})
