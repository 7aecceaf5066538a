// What use-debounce 10.1 has wrong, seen in it, and that ours has not.
import { act, renderHook } from '@testing-library/react'
import { ClockProvider, useDebouncedCallback, useIsPending } from 'lull'
import { wallClock } from 'lull/core'
import { Activity, type ReactNode } from 'react'
import { useDebouncedCallback as useTheirs } from 'use-debounce'
import { expect, it, vi } from 'vitest'
import { stopTime } from '../support/stop-time.ts'

stopTime()

const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

it('UD1: nothing is pending after a call that has run at once', () => {
  const options = { leading: true }
  const theirs = renderHook(() => useTheirs(() => undefined, 100, options)).result
  const ours = renderHook(() => {
    const debounced = useDebouncedCallback(() => undefined, 100, options)
    return { debounced, isPending: useIsPending(debounced) }
  }).result
  act(() => {
    theirs.current()
    ours.current.debounced()
  })
  expect(theirs.current.isPending()).toBe(true)
  expect(ours.current.debounced.isPending()).toBe(false)
  expect(ours.current.isPending).toBe(false)
})

it('UD1b: hands on the `this` of the call', () => {
  const seen: unknown[] = []
  function note(this: unknown): void {
    seen.push(this)
  }
  const { result } = renderHook(() => [useTheirs(note, 100), useDebouncedCallback(note, 100)])
  const caller = {}
  for (const debounced of result.current) debounced.call(caller)
  pass(100)
  expect(seen.map((self) => self === caller)).toEqual([false, true])
})

it('UD2: a shorter wait holds for what is pending already', () => {
  const ran: string[] = []
  const { result, rerender } = renderHook(
    ({ wait }) => [
      useTheirs(() => ran.push('theirs'), wait),
      useDebouncedCallback(() => ran.push('ours'), wait),
    ],
    { initialProps: { wait: 1000 } },
  )
  for (const debounced of result.current) debounced()
  rerender({ wait: 100 })
  pass(100)
  expect(ran).toEqual(['ours'])
  pass(900)
  expect(ran).toEqual(['ours', 'theirs'])
})

it('nothing is pending after a run that maxWait asked for', () => {
  const options = { maxWait: 0 }
  const { result } = renderHook(() => [
    useTheirs(() => undefined, 0, options),
    useDebouncedCallback(() => undefined, 0, options),
  ])
  for (const debounced of result.current) {
    debounced()
    debounced()
  }
  expect(result.current.map((debounced) => debounced.isPending())).toEqual([true, false])
})

it('a flush after the unmount runs nothing', () => {
  const ran: string[] = []
  const { result, unmount } = renderHook(() => [
    useTheirs(() => ran.push('theirs'), 100),
    useDebouncedCallback(() => ran.push('ours'), 100),
  ])
  for (const debounced of result.current) debounced()
  unmount()
  for (const debounced of result.current) debounced.flush()
  expect(ran).toEqual(['theirs'])
  vi.clearAllTimers()
})

it('UD4: leaves no timer when it is unmounted', () => {
  const theirs = renderHook(() => useTheirs(() => undefined, 100))
  theirs.result.current()
  theirs.unmount()
  expect(vi.getTimerCount()).toBe(1)
  vi.clearAllTimers()

  const ours = renderHook(() => useDebouncedCallback(() => undefined, 100))
  ours.result.current()
  expect(vi.getTimerCount()).toBe(1)
  ours.unmount()
  expect(vi.getTimerCount()).toBe(0)
})

it('UD5: has one timer, however often maxWait is reached before a timer had its turn', () => {
  const options = { maxWait: 10 }
  // A page that is too busy for timers: only the wall clock goes on.
  function callOften(call: () => void): number {
    for (let i = 0; i < 200; i++) {
      vi.setSystemTime(Date.now() + 10)
      call()
    }
    const timers = vi.getTimerCount()
    vi.clearAllTimers()
    return timers
  }
  const theirs = renderHook(() => useTheirs(() => undefined, 10, options)).result
  expect(callOften(theirs.current)).toBeGreaterThan(190)

  const fn = vi.fn()
  const ours = renderHook(() => useDebouncedCallback(fn, 10, options), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <ClockProvider clock={wallClock}>{children}</ClockProvider>
    ),
  }).result
  expect(callOften(ours.current)).toBeLessThanOrEqual(1)
  expect(fn.mock.calls.length).toBeGreaterThan(90)
})

it('AC1: works again after it was hidden with a call pending', () => {
  const ran: string[] = []
  let mode: 'visible' | 'hidden' = 'visible'
  const { result, rerender } = renderHook(
    () => [useTheirs(() => ran.push('theirs'), 100), useDebouncedCallback(() => ran.push('ours'), 100)],
    { wrapper: ({ children }: { children: ReactNode }) => <Activity mode={mode}>{children}</Activity> },
  )
  const callBoth = (): void => result.current.forEach((debounced) => debounced())
  callBoth()
  mode = 'hidden'
  rerender()
  pass(1000)
  mode = 'visible'
  rerender()
  expect(ran).toEqual([])
  for (let i = 0; i < 3; i++) {
    callBoth()
    pass(1000)
  }
  expect(ran).toEqual(['ours', 'ours', 'ours'])
})
