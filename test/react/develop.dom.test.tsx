import { render } from '@testing-library/react'
import {
  pageHidden,
  pageHide,
  useBatch,
  useCountdown,
  useDebounce,
  useDebouncedAsync,
  useDebouncedCallback,
  useDebouncedState,
  useRateMeter,
  useThrottle,
  useThrottledCallback,
  useThrottledEvent,
  useThrottledResize,
} from 'lull'
import { createRateMeter } from 'lull/core'
import { afterEach, expect, it, vi } from 'vitest'

const none = (): void => undefined

const hooks: Record<string, (wait: number, options: object) => unknown> = {
  useDebounce: (wait, options) => useDebounce('', wait, options),
  useThrottle: (wait, options) => useThrottle('', wait, options),
  useDebouncedCallback: (wait, options) => useDebouncedCallback(none, wait, options),
  useThrottledCallback: (wait, options) => useThrottledCallback(none, wait, options),
  useDebouncedState: (wait, options) => useDebouncedState('', wait, options),
  useDebouncedAsync: (wait, options) => useDebouncedAsync(none, wait, options),
  useThrottledEvent: (wait, options) => useThrottledEvent(window, 'scroll', none, wait, options),
  useThrottledResize: (wait, options) => useThrottledResize(() => null, none, wait, options),
}

afterEach(() => void vi.restoreAllMocks())

function mount(useHook: () => unknown): void {
  function Component(): null {
    useHook()
    return null
  }
  render(<Component />).rerender(<Component />)
}

const meter = createRateMeter()

it.each<[name: string, useHook: (options: object) => unknown]>([
  ...Object.entries(hooks).map(([name, useHook]): [string, (options: object) => unknown] => [
    name,
    (options) => useHook(10, { leading: true, ...options }),
  ]),
  ['useBatch', (options) => useBatch(none, options)],
  ['useRateMeter', (options) => useRateMeter(meter, options)],
])('%s warns once of an unknown option, and of none of its own', (name, useHook) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const unknown = `maxwait of ${name}`
  mount(() => useHook({ [unknown]: 5 }))
  expect(warn.mock.calls).toEqual([[`lull: ${name} has no option '${unknown}'`]])
})

it.each([
  [
    'useDebounce: equals must be a function, not a number, got 5',
    () => useDebounce('', 10, { equals: 5 as never }),
  ],
  ['useBatch: key must be a function', () => useBatch(none, { key: 5 as never })],
  ['useDebouncedState: equals must be a function', () => useDebouncedState('', 10, { equals: 5 as never })],
  ['useDebouncedAsync: commit must be a function', () => useDebouncedAsync(none, 10, { commit: 5 as never })],
  ['Expected a function fn, got undefined', () => useDebouncedCallback(undefined as never, 10)],
  ['Expected a function task, got undefined', () => useDebouncedAsync(undefined as never, 10)],
  ['Expected a function flush, got undefined', () => useBatch(undefined as never)],
  ['a function handler, not a number, got 5', () => useThrottledEvent(window, 'scroll', 5 as never)],
  ['a function handler, not a number, got 5', () => useThrottledResize(() => null, 5 as never)],
  [
    "useDebouncedCallback: onUnmount must be 'cancel' or 'flush', got x",
    () => useDebouncedCallback(none, 10, { onUnmount: 'x' as never }),
  ],
  [
    'useDebounce: holdWhile must be a condition, such as composing, not a string, got composing',
    () => useDebounce('', 10, { holdWhile: 'composing' as never }),
  ],
  [
    'useDebouncedCallback: flushOn must be one or two triggers, such as [pageHidden, pageHide], not an object, got hidden',
    () => useDebouncedCallback(none, 10, { flushOn: ['hidden'] as never }),
  ],
  ['Expected intervalMs > 0, got 0', () => useRateMeter(meter, { intervalMs: 0 })],
  ['Expected until >= -Infinity, got NaN', () => useCountdown(NaN)],
  ['useBatch: flushOn must be one or two triggers', () => useBatch(none, { flushOn: pageHide as never })],
  [
    'useDebouncedAsync: flushOn must be one or two triggers',
    () => useDebouncedAsync(none, 10, { flushOn: [pageHide, pageHidden, pageHide] as never }),
  ],
])('throws: %s', (message, useHook) => {
  vi.spyOn(console, 'error').mockReturnValue()
  expect(() => mount(useHook)).toThrow(message)
})

it('no hook warns of an option that it passes on to another', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  mount(() => useThrottle('', 10, { leading: false, trailing: true }))
  mount(() => useThrottledEvent(window, 'scroll', none, 'frame', { capture: true, onUnmount: 'flush' }))
  mount(() => useDebouncedState('', 10, { equals: Object.is, maxWait: 20 }))
  expect(warn).not.toHaveBeenCalled()
})

it.each(Object.entries(hooks))(
  '%s throws for an invalid wait, for one of a wrong type with its name',
  (name, useHook) => {
    vi.spyOn(console, 'error').mockReturnValue()
    for (const [wait, message] of [
      ['300', `${name}: wait must be a number of ms, not a string, got 300`],
      [NaN, 'Expected wait >= 0, got NaN'],
      [-1, 'Expected wait >= 0, got -1'],
    ])
      expect(() => mount(() => useHook(wait as never, {}))).toThrow(new RegExp(`^${message}$`))
  },
)
