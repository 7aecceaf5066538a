// What ahooks 3.11 has wrong, seen in it, and that ours has not.
import { act, renderHook } from '@testing-library/react'
import { useDebounce as useTheirDebounce, useDebounceFn, useThrottleFn } from 'ahooks'
import { useDebounce, useDebouncedCallback, useDebouncedState, useThrottle, useThrottledCallback } from 'lull'
import { expect, it, vi } from 'vitest'
import { stopTime } from '../stop-time.ts'

stopTime()

const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

it('AH1: another wait and other options are followed', () => {
  const ran: string[] = []
  const { result, rerender } = renderHook(
    (options) => [
      useDebounceFn(() => ran.push('theirs'), options).run,
      useDebouncedCallback(() => ran.push('ours'), options.wait, options),
    ],
    { initialProps: { wait: 1000, leading: false } },
  )
  rerender({ wait: 100, leading: true })
  const callBoth = (): void => result.current.forEach((call) => call())
  callBoth()
  expect(ran).toEqual(['ours'])
  callBoth()
  pass(100)
  expect(ran).toEqual(['ours', 'ours'])
  pass(900)
  expect(ran).toEqual(['ours', 'ours', 'theirs'])
})

it('AH2: hands on the `this` of the call', () => {
  const seen: string[] = []
  const caller = {}
  function theirs(this: unknown): void {
    seen.push(`theirs: ${this === caller}`)
  }
  function ours(this: unknown): void {
    seen.push(`ours: ${this === caller}`)
  }
  const { result } = renderHook(() => [
    useDebounceFn(theirs, { wait: 100 }).run,
    useThrottleFn(theirs, { wait: 100 }).run,
    useDebouncedCallback(ours, 100),
    useThrottledCallback(ours, 100),
  ])
  for (const call of result.current) call.call(caller)
  pass(100)
  expect(seen).toEqual(['theirs: false', 'ours: true', 'theirs: false', 'ours: true'])
})

it('FN1: a value that is a function is kept, and not called', () => {
  const first = vi.fn(() => 'called')
  const second = vi.fn(() => 'called')
  const { result, rerender } = renderHook(
    ({ value }) => {
      const [state, setState] = useDebouncedState(value, 100)
      return {
        theirs: useTheirDebounce(value, { wait: 100 }),
        debounced: useDebounce(value, 100),
        throttled: useThrottle(value, 100),
        state,
        setState,
      }
    },
    { initialProps: { value: first } },
  )
  const ours = (): unknown[] => [result.current.debounced, result.current.throttled, result.current.state]
  expect(result.current.theirs).toBe('called')
  expect(ours()).toEqual([first, first, first])
  first.mockClear()

  rerender({ value: second })
  result.current.setState(second)
  pass(1000)
  expect(result.current.theirs).toBe('called')
  expect(ours()).toEqual([second, second, second])
})

it('UMT: calls after the unmount are ignored', () => {
  const ran: string[] = []
  const { result, unmount } = renderHook(() => {
    const options = { leading: true, onUnmount: 'flush' } as const
    return [
      useDebounceFn(() => ran.push('theirs'), { wait: 100 }).run,
      useDebouncedCallback(() => ran.push('debounced'), 100, options),
      useThrottledCallback(() => ran.push('throttled'), 100, options),
    ]
  })
  unmount()
  for (const call of result.current) call()
  pass(1000)
  expect(ran).toEqual(['theirs'])
  expect(vi.getTimerCount()).toBe(0)
})
