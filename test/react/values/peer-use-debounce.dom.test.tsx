// Defects of use-debounce 10.1, reproduced there and absent here.
import { act, renderHook } from '@testing-library/react'
import { ClockProvider, useDebouncedCallback } from 'lull'
import { wallClock } from 'lull/core'
import type { ReactNode } from 'react'
import { useDebouncedCallback as useTheirs } from 'use-debounce'
import { expect, it, vi } from 'vitest'
import { stopTime } from '../support/stop-time.ts'

stopTime()

const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms))

interface Options {
  wait: number
  leading?: boolean
  maxWait?: number
}

interface Held {
  (): unknown
  flush: () => unknown
  isPending: () => boolean
}

/** Renders either hook on a clock that `Date` follows. */
function renderOne(useHook: (fn: () => void, wait: number, options: object) => Held, initialProps: Options) {
  const fn = vi.fn()
  const { result, rerender, unmount } = renderHook(({ wait, ...options }) => useHook(fn, wait, options), {
    initialProps,
    wrapper: ({ children }: { children: ReactNode }) => (
      <ClockProvider clock={wallClock}>{children}</ClockProvider>
    ),
  })
  return { fn, rerender, unmount, call: result.current, runs: () => fn.mock.calls.length }
}

it.each<[string, Options, (one: ReturnType<typeof renderOne>) => unknown, theirs: unknown, ours: unknown]>([
  [
    'UD1: nothing is pending after a call that has run at once',
    { wait: 100, leading: true },
    ({ call }) => {
      call()
      return call.isPending()
    },
    true,
    false,
  ],
  [
    'UD1b: hands on the `this` of the call',
    { wait: 100 },
    ({ call, fn }) => {
      const caller = {}
      call.call(caller)
      pass(100)
      return fn.mock.contexts[0] === caller
    },
    false,
    true,
  ],
  [
    'UD2: a shorter wait holds for what is pending already',
    { wait: 1000 },
    ({ call, rerender, runs }) => {
      call()
      rerender({ wait: 100 })
      pass(100)
      return runs()
    },
    0,
    1,
  ],
  [
    'nothing is pending after a run due to maxWait',
    { wait: 0, maxWait: 0 },
    ({ call }) => {
      call()
      call()
      return call.isPending()
    },
    true,
    false,
  ],
  [
    'a flush after the unmount runs nothing',
    { wait: 100 },
    ({ call, unmount, runs }) => {
      call()
      unmount()
      call.flush()
      return runs()
    },
    1,
    0,
  ],
  [
    'UD5: has one timer, however often maxWait is reached before a timer had its turn',
    { wait: 10, maxWait: 10 },
    // A page too busy for timers: only the wall clock advances.
    ({ call, runs }) => {
      for (let i = 0; i < 200; i++) {
        vi.setSystemTime(Date.now() + 10)
        call()
      }
      return [vi.getTimerCount() > 1, runs() > 90]
    },
    [true, true],
    [false, true],
  ],
])('%s', (_, options, script, theirs, ours) => {
  expect(script(renderOne(useTheirs, options))).toEqual(theirs)
  vi.clearAllTimers()
  expect(script(renderOne(useDebouncedCallback, options))).toEqual(ours)
  vi.clearAllTimers()
})
