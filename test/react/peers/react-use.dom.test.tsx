// What react-use 17.6 has wrong, seen in it, and that ours has not.
import { act, renderHook } from '@testing-library/react'
import { useDebounce, useThrottle, useThrottledCallback } from 'lull'
import { Activity, StrictMode, type ReactNode } from 'react'
import { useDebounce as useTheirDebounce, useThrottle as useTheirThrottle, useThrottleFn } from 'react-use'
import { expect, it, vi } from 'vitest'
import { stopTime } from '../stop-time.ts'

stopTime()

const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

it('RU1: a throttled value goes on in StrictMode', () => {
  const { result, rerender } = renderHook(
    ({ n }) => ({ theirs: useTheirThrottle(n, 100), ours: useThrottle(n, 100) }),
    { initialProps: { n: 0 }, wrapper: StrictMode },
  )
  for (let n = 1; n <= 5; n++) {
    rerender({ n })
    pass(1000)
  }
  expect(result.current).toEqual({ theirs: 0, ours: 5 })
})

it('RU1b: a throttled function goes on in StrictMode', () => {
  const ran: number[] = []
  const { result, rerender } = renderHook(
    ({ n }) => ({
      theirs: useThrottleFn((n) => n, 100, [n]),
      ours: useThrottledCallback(() => ran.push(n), 100),
    }),
    { initialProps: { n: 0 }, wrapper: StrictMode },
  )
  for (let n = 1; n <= 3; n++) {
    rerender({ n })
    result.current.ours()
    pass(1000)
  }
  expect(result.current.theirs).toBe(0)
  expect(ran).toEqual([1, 2, 3])
})

it('RU2: nothing happens after a mount that changes nothing', () => {
  const theirs = vi.fn()
  let renders = 0
  renderHook(() => useTheirDebounce(theirs, 100, ['value']))
  pass(1000)
  expect(theirs).toHaveBeenCalledTimes(1)

  renderHook(() => {
    renders++
    return useDebounce('value', 100)
  })
  const mounted = renders
  expect(vi.getTimerCount()).toBe(0)
  pass(1000)
  expect(renders).toBe(mounted)
})

it('AC2: a throttled value goes on after it was hidden', () => {
  let mode: 'visible' | 'hidden' = 'visible'
  const { result, rerender } = renderHook(
    ({ n }) => ({ theirs: useTheirThrottle(n, 100), ours: useThrottle(n, 100) }),
    {
      initialProps: { n: 0 },
      wrapper: ({ children }: { children: ReactNode }) => <Activity mode={mode}>{children}</Activity>,
    },
  )
  pass(1000)
  rerender({ n: 1 })
  rerender({ n: 2 })
  mode = 'hidden'
  rerender({ n: 2 })
  pass(1000)
  mode = 'visible'
  rerender({ n: 3 })
  pass(1000)
  rerender({ n: 4 })
  pass(1000)
  expect(result.current).toEqual({ theirs: 1, ours: 4 })
})
