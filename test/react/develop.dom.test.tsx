import { render } from '@testing-library/react'
import * as lull from 'lull'
import { createRateMeter } from 'lull/core'
import { expect, it, vi } from 'vitest'

const { pageHidden, pageHide } = lull
const none = (): void => undefined

const hooks: Record<string, (wait: number, options: object) => unknown> = {
  useDebounce: (wait, options) => lull.useDebounce('', wait, options),
  useThrottle: (wait, options) => lull.useThrottle('', wait, options),
  useDebouncedCallback: (wait, options) => lull.useDebouncedCallback(none, wait, options),
  useThrottledCallback: (wait, options) => lull.useThrottledCallback(none, wait, options),
  useDebouncedState: (wait, options) => lull.useDebouncedState('', wait, options),
  useDebouncedAsync: (wait, options) => lull.useDebouncedAsync(none, wait, options),
  useThrottledEvent: (wait, options) => lull.useThrottledEvent(window, 'scroll', none, wait, options),
  useThrottledResize: (wait, options) => lull.useThrottledResize(() => null, none, wait, options),
}

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
  ['useBatch', (options) => lull.useBatch(none, options)],
  ['useRateMeter', (options) => lull.useRateMeter(meter, options)],
])('%s warns once of an unknown option, and of none of its own', (name, useHook) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const unknown = `maxwait of ${name}`
  mount(() => useHook({ [unknown]: 5 }))
  expect(warn.mock.calls).toEqual([[`lull: ${name} has no option '${unknown}'`]])
})

it('an array of dependencies, which other libraries take, causes a warning', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  mount(() => lull.useThrottle(0, 10, [1] as object))
  expect(warn.mock.calls).toEqual([['lull: useThrottle takes options, not an array of dependencies']])
})

const mistakes: Record<string, () => unknown> = {
  'useDebounce: equals must be a function, not a number, got 5': () =>
    lull.useDebounce('', 10, { equals: 5 as never }),
  'useBatch: key must be a function': () => lull.useBatch(none, { key: 5 as never }),
  'useDebouncedState: equals must be a function': () =>
    lull.useDebouncedState('', 10, { equals: 5 as never }),
  'useDebouncedAsync: commit must be a function': () =>
    lull.useDebouncedAsync(none, 10, { commit: 5 as never }),
  'Expected a function fn, got undefined': () => lull.useDebouncedCallback(undefined as never, 10),
  'Expected a function task, got undefined': () => lull.useDebouncedAsync(undefined as never, 10),
  'Expected a function flush, got undefined': () => lull.useBatch(undefined as never),
  'fetch must be made by createRateLimitedFetch, got a function': () =>
    lull.useRateLimitedFetch(fetch as never),
  'useIsPending: debounced must be made by useDebouncedCallback or useBatch, not an object': () =>
    lull.useIsPending(lull.useDebouncedAsync(none, 10) as never),
  'Expected a function handler, not a number, got 5': () =>
    lull.useThrottledEvent(window, 'scroll', 5 as never),
  'a function handler, not a number, got 5': () => lull.useThrottledResize(() => null, 5 as never),
  "useDebouncedCallback: onUnmount must be 'cancel' or 'flush', got x": () =>
    lull.useDebouncedCallback(none, 10, { onUnmount: 'x' as never }),
  'useDebounce: holdWhile must be a condition, such as composing, not a string, got composing': () =>
    lull.useDebounce('', 10, { holdWhile: 'composing' as never }),
  'useDebouncedCallback: flushOn must be one or two triggers, such as [pageHidden, pageHide], got [hidden]':
    () => lull.useDebouncedCallback(none, 10, { flushOn: ['hidden'] as never }),
  'Expected intervalMs > 0, got 0': () => lull.useRateMeter(meter, { intervalMs: 0 }),
  'Expected until >= -Infinity, got NaN': () => lull.useCountdown(NaN),
  'useBatch: flushOn must be one or two triggers': () => lull.useBatch(none, { flushOn: pageHide as never }),
  'useDebouncedAsync: flushOn must be one or two triggers': () =>
    lull.useDebouncedAsync(none, 10, { flushOn: [pageHide, pageHidden, pageHide] as never }),
}

it.each(Object.entries(mistakes))('throws: %s', (message, useHook) => {
  vi.spyOn(console, 'error').mockReturnValue()
  expect(() => mount(useHook)).toThrow(message)
})

it('no hook warns of an option that it passes on to another', () => {
  mount(() => lull.useThrottle('', 10, { leading: false, trailing: true }))
  mount(() => lull.useThrottledEvent(window, 'scroll', none, 'frame', { capture: true, onUnmount: 'flush' }))
  mount(() => lull.useDebouncedState('', 10, { equals: Object.is, maxWait: 20 }))
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
