// `exhaustive-deps` is to have no complaint: the linter reads this file too.
import {
  useBatch,
  useDebouncedAsync,
  useDebouncedCallback,
  useDebouncedState,
  useRateLimitedFetch,
  useThrottledCallback,
  useThrottledEvent,
  useThrottledResize,
} from 'lull'
import { useEffect } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'
import { stubResizeObserver } from '../support/fake-resize-observer.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe.each(modes)('inline callbacks and options, made anew in each render, %s', (mode) => {
  it('an event is listened to once, with an inline handler, target and options', () => {
    const onClock = createOnClock(mode)
    const target = new EventTarget()
    const add = vi.spyOn(target, 'addEventListener')
    const { rerender } = renderHookOn(
      onClock,
      () =>
        useThrottledEvent(
          () => target,
          'text',
          () => undefined,
          100,
          { capture: true },
        ),
      undefined,
    )
    const mounted = add.mock.calls.length
    expect(mounted).toBe(mode === 'plain' ? 1 : 2)
    for (let n = 0; n < 50; n++) rerender(undefined)
    expect(add).toHaveBeenCalledTimes(mounted)
  })

  it('an element is observed once, with an inline handler, target and options', () => {
    const onClock = createOnClock(mode)
    const { observed } = stubResizeObserver()
    const element = document.createElement('div')
    const { rerender } = renderHookOn(
      onClock,
      () =>
        useThrottledResize(
          () => element,
          () => undefined,
          100,
          { box: 'border-box' },
        ),
      undefined,
    )
    const mounted = observed.everMade
    for (let n = 0; n < 50; n++) rerender(undefined)
    expect(observed).toEqual({ now: 1, everMade: mounted })
  })
})

describe.each(modes)('what a hook answers is the same for the component’s life, %s', (mode) => {
  it('functions and their methods, which may be taken off, through 50 renders', () => {
    const onClock = createOnClock(mode)
    let effects = 0
    const { result, rerender } = renderHookOn(
      onClock,
      () => {
        const debounced = useDebouncedCallback(() => undefined, 100)
        const { cancel, flush, isPending } = useThrottledCallback(() => undefined, 100)
        const { run, flush: flushTask, cancel: cancelTask } = useDebouncedAsync(() => 'answer', 100)
        const [, set, { cancel: cancelState }] = useDebouncedState('', 100)
        const { add, flush: send } = useBatch(() => undefined)
        const fetch = useRateLimitedFetch({ ratePerSecond: 1 })
        useEffect(() => {
          effects++
        }, [
          debounced,
          cancel,
          flush,
          isPending,
          run,
          flushTask,
          cancelTask,
          set,
          cancelState,
          add,
          send,
          fetch,
        ])
        return [debounced, cancel, flush, isPending, run, flushTask, cancelTask, set, cancelState, add, send]
      },
      undefined,
    )
    const mounted = effects
    const first = result.current
    for (let n = 0; n < 50; n++) rerender(undefined)
    expect(effects).toBe(mounted)
    expect(result.current).toEqual(first)
  })

  it('methods work without what they were taken off', () => {
    const onClock = createOnClock(mode)
    const runs: string[] = []
    const { result } = renderHookOn(
      onClock,
      () => useDebouncedCallback((text: string) => runs.push(text), 100),
      undefined,
    )
    const { cancel, flush, isPending, configure, subscribe } = result.current
    const told = vi.fn()
    const unsubscribe = subscribe(told)
    result.current('dropped')
    expect(isPending()).toBe(true)
    cancel()
    result.current('flushed')
    flush()
    configure({ wait: 10 })
    result.current('run')
    onClock.advance(10)
    unsubscribe()
    expect(runs).toEqual(['flushed', 'run'])
    expect(told).toHaveBeenCalledTimes(6)
  })
})
