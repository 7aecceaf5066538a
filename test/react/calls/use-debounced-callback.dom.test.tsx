import {
  createCondition,
  pageHidden,
  pageHide,
  useBatch,
  useDebouncedAsync,
  useDebouncedCallback,
  useDebouncedState,
  useRateLimitedFetch,
  useThrottledCallback,
  type Triggers,
} from 'lull'
import { useEffect } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render.tsx'

describe.each(modes)('a debounced function, %s', (mode) => {
  it('has the triggers of the last commit', () => {
    const runs: number[] = []
    const { result, rerender, unmount } = renderHookOn(
      createOnClock(mode),
      (flushOn: Triggers) => useDebouncedCallback((n: number) => runs.push(n), 100, { flushOn }),
      [],
    )
    const all: Triggers[] = [[pageHidden], [pageHide], [pageHidden], [pageHidden, pageHide], []]
    for (const [n, flushOn] of all.entries()) {
      rerender(flushOn)
      result.current(n)
      dispatchEvent(new Event('pagehide'))
    }
    expect(runs).toEqual([1, 3])
    unmount()
  })

  it('keeps its trigger when another component with the same one unmounts', () => {
    const runs: string[] = []
    const render = () =>
      renderHookOn(createOnClock(mode), () =>
        useDebouncedCallback((text: string) => runs.push(text), 100, { flushOn: [pageHide] }),
      )
    const [{ result }, other] = [render(), render()]
    other.unmount()
    result.current('kept')
    dispatchEvent(new Event('pagehide'))
    expect(runs).toEqual(['kept'])
  })

  it('holds no call with both edges off', () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const isOn = createCondition({ isOn: () => true, subscribe: () => () => undefined })
    const { result } = renderHookOn(createOnClock(mode), () =>
      useDebouncedCallback(() => undefined, 100, { trailing: false, holdWhile: isOn }),
    )
    result.current()
    expect(result.current.isPending()).toBe(false)
  })

  it('throttles with the wait of `configure`', () => {
    const runs: number[] = []
    const onClock = createOnClock(mode)
    const { clock, advance } = onClock
    const { result } = renderHookOn(onClock, () => useThrottledCallback(() => runs.push(clock.now()), 100))
    result.current.configure({ wait: 50 })
    while (clock.now() < 120) {
      result.current()
      advance(10)
    }
    advance(50)
    expect(runs).toEqual([0, 50, 100, 150])
  })

  // The linter checks this file too: `exhaustive-deps` must not complain.
  it('keeps its identity and that of its methods over 50 renders with inline callbacks and options', () => {
    const effect = vi.fn<() => void>()
    const { result, rerender } = renderHookOn(createOnClock(mode), () => {
      const debounced = useDebouncedCallback(() => undefined, 100, { flushOn: [] })
      const { cancel, flush, isPending } = useThrottledCallback(() => undefined, 100)
      const { run, flush: end, cancel: abort } = useDebouncedAsync(() => 'result', 100)
      const [, set, { cancel: drop }] = useDebouncedState('', 100)
      const { add, flush: send } = useBatch(() => undefined)
      const fetch = useRateLimitedFetch({ ratePerSecond: 1 })
      useEffect(() => effect(), [debounced, cancel, run, set, add, fetch])
      return [debounced, cancel, flush, isPending, run, end, abort, set, drop, add, send, fetch]
    })
    const mounted = effect.mock.calls.length
    const first = result.current
    for (let n = 0; n < 50; n++) rerender(undefined)
    expect(effect).toHaveBeenCalledTimes(mounted)
    expect(result.current).toEqual(first)
  })
})
