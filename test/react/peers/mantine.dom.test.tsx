// What @mantine/hooks 9.7 has wrong, and that ours has not.
import { act } from '@testing-library/react'
import { useDebouncedCallback, useIsPending, useThrottledCallback } from 'lull'
import { expect, it } from 'vitest'
import { createOnClock, renderHookOn } from '../render-on-clock.tsx'

it('MT1: with the leading edge the last call of a burst runs too, and is what is pending', () => {
  const onClock = createOnClock()
  const ran: string[] = []
  const { result } = renderHookOn(
    onClock,
    () => {
      const debounced = useDebouncedCallback((text: string) => ran.push(text), 100, { leading: true })
      return { debounced, isPending: useIsPending(debounced) }
    },
    undefined,
  )
  act(() => void result.current.debounced('first'))
  expect(result.current.isPending).toBe(false)
  act(() => void result.current.debounced('last'))
  expect(result.current.isPending).toBe(true)
  onClock.advance(100)
  expect(ran).toEqual(['first', 'last'])
  expect(result.current.isPending).toBe(false)
  expect(onClock.clock.pending).toBe(0)
})

it('MT2: cancel and flush work when they are taken off the function, also from an earlier render', () => {
  const onClock = createOnClock()
  const ran: string[] = []
  const { result, rerender } = renderHookOn(
    onClock,
    ({ wait }) => useDebouncedCallback((text: string) => ran.push(text), wait),
    { wait: 100 },
  )
  const { cancel, flush } = result.current
  rerender({ wait: 200 })
  result.current('dropped')
  cancel()
  onClock.advance(1000)
  expect(ran).toEqual([])
  result.current('now')
  flush()
  expect(ran).toEqual(['now'])
  expect(onClock.clock.pending).toBe(0)
})

it('MT3: another wait keeps the pending call', () => {
  const onClock = createOnClock()
  const ran: [text: string, at: number][] = []
  const { result, rerender } = renderHookOn(
    onClock,
    ({ wait }) => useDebouncedCallback((text: string) => ran.push([text, onClock.clock.now()]), wait),
    { wait: 100 },
  )
  result.current('typed')
  onClock.advance(50)
  rerender({ wait: 300 })
  onClock.advance(1000)
  expect(ran).toEqual([['typed', 300]])
})

it('MT4: hands on the `this` of the call, debounced and throttled', () => {
  const onClock = createOnClock()
  const seen: unknown[] = []
  function note(this: unknown): void {
    seen.push(this)
  }
  const { result } = renderHookOn(
    onClock,
    () => [useDebouncedCallback(note, 100), useThrottledCallback(note, 100)],
    undefined,
  )
  const callers = [{ name: 'debounced' }, { name: 'throttled' }]
  result.current.forEach((held, i) => held.call(callers[i]))
  onClock.advance(100)
  expect(seen).toEqual([callers[1], callers[0]])
})
