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

describe.each(modes)('over 50 renders with inline callbacks and options, %s', (mode) => {
  it('an event is listened to, and an element observed, once', () => {
    const onClock = createOnClock(mode)
    const { observed } = stubResizeObserver()
    const element = document.createElement('div')
    const add = vi.spyOn(element, 'addEventListener')
    const { rerender } = renderHookOn(
      onClock,
      () => {
        const find = (): Element => element
        useThrottledEvent(find, 'text', () => undefined, 100, { capture: true })
        useThrottledResize(find, () => undefined, 100, { box: 'border-box' })
      },
      undefined,
    )
    const mounts = mode === 'plain' ? 1 : 2
    for (let n = 0; n < 50; n++) rerender(undefined)
    expect(add).toHaveBeenCalledTimes(mounts)
    expect(observed).toEqual({ now: 1, everMade: mounts })
  })

  it('functions and their methods, which may be taken off, are the same ones', () => {
    const onClock = createOnClock(mode)
    let effects = 0
    const { result, rerender } = renderHookOn(
      onClock,
      () => {
        const debounced = useDebouncedCallback(() => undefined, 100)
        const { cancel, flush, isPending } = useThrottledCallback(() => undefined, 100)
        const { run, flush: flushTask, cancel: cancelTask } = useDebouncedAsync(() => 'result', 100)
        const [, set, { cancel: cancelState }] = useDebouncedState('', 100)
        const { add, flush: send } = useBatch(() => undefined)
        const fetch = useRateLimitedFetch({ ratePerSecond: 1 })
        useEffect(() => {
          effects++
          // prettier-ignore
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
        // prettier-ignore
        return [debounced, cancel, flush, isPending, run, flushTask, cancelTask, set, cancelState, add, send, fetch]
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
    const listener = vi.fn()
    const unsubscribe = subscribe(listener)
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
    expect(listener).toHaveBeenCalledTimes(6)
  })
})
