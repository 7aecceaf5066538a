// Theme 35 says that `exhaustive-deps` has no complaint: the linter reads this file too.
import { act } from '@testing-library/react'
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
import { holdingHooks } from '../support/holding-hooks.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe.each(modes)('inline callbacks and options, made anew in each render, %s', (mode) => {
  it.each(holdingHooks)('%s makes one run over 50 renders within the wait', (_, useHeld) => {
    const onClock = createOnClock(mode)
    const saved: string[] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ n }) => useHeld((text) => saved.push(`${text} in render ${n}`), 100, { flushOn: [] }),
      { n: 0 },
    )
    act(() => result.current('hello'))
    for (let n = 1; n <= 50; n++) {
      rerender({ n })
      onClock.advance(1)
    }
    expect(saved).toEqual([])
    onClock.advance(50)
    expect(saved).toEqual(['hello in render 50'])
    onClock.advance(1000)
    expect(saved).toHaveLength(1)
    expect(onClock.clock.pending).toBe(0)
  })

  it('an inline leading: true leads once in a burst', () => {
    const onClock = createOnClock(mode)
    const runs: string[] = []
    const { result, rerender } = renderHookOn(
      onClock,
      () => useDebouncedCallback((text: string) => runs.push(text), 100, { leading: true }),
      undefined,
    )
    for (const text of ['1', '12', '123']) {
      result.current(text)
      rerender(undefined)
    }
    expect(runs).toEqual(['1'])
    onClock.advance(100)
    expect(runs).toEqual(['1', '123'])
  })

  it('a state that each run sets makes no loop', () => {
    const onClock = createOnClock(mode)
    let runs = 0
    const { result } = renderHookOn(
      onClock,
      () => {
        const [count, setCount] = useDebouncedState(0, 100, { maxWait: 1000 })
        const bump = useDebouncedCallback(() => setCount(++runs), 100, { leading: false })
        return { count, bump }
      },
      undefined,
    )
    act(() => result.current.bump())
    onClock.advance(10_000)
    expect(runs).toBe(1)
    expect(result.current.count).toBe(1)
    expect(onClock.clock.pending).toBe(0)
  })

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

  it.each<[option: string, before: object, after: object, runsAt: number[]]>([
    ['leading', {}, { leading: true }, [10, 210]],
    ['trailing', {}, { leading: true, trailing: false }, [10]],
    ['maxWait', {}, { maxWait: 120 }, [130]],
  ])('a changed value of %s holds for the calls after it', (_, before, after, runsAt) => {
    const onClock = createOnClock(mode)
    const runs: number[] = []
    const { result, rerender } = renderHookOn(
      onClock,
      ({ options }) => useDebouncedCallback(() => runs.push(onClock.clock.now()), 100, { ...options }),
      { options: before },
    )
    rerender({ options: after })
    onClock.advance(10)
    result.current()
    onClock.advance(50)
    result.current()
    onClock.advance(50)
    result.current()
    onClock.advance(1000)
    expect(runs).toEqual(runsAt)
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
