import { render } from '@testing-library/react'
import {
  useDebounce,
  useDebouncedAsync,
  useDebouncedCallback,
  useDebouncedState,
  useThrottle,
  useThrottledCallback,
  useThrottledEvent,
  useThrottledResize,
} from 'lull'
import { afterEach, describe, expect, it, vi } from 'vitest'

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

describe.each(Object.entries(hooks))('%s, in development', (name, useHook) => {
  afterEach(() => void vi.restoreAllMocks())

  function mount(wait: unknown, options: object): void {
    function Component(): null {
      useHook(wait as number, options)
      return null
    }
    render(<Component />).rerender(<Component />)
  }

  it('warns once, by its own name, of an option that is none', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    mount(10, { [`maxwait of ${name}`]: 5, leading: true })
    expect(warn.mock.calls).toEqual([[`lull: ${name} has no option 'maxwait of ${name}'`]])
  })

  it('says by its own name that a wait must be a number of ms', () => {
    vi.spyOn(console, 'error').mockReturnValue()
    expect(() => mount('300', {})).toThrow(`${name}: wait must be a number of ms, not a string, got 300`)
  })
})
