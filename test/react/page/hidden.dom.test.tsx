import { act, fireEvent } from '@testing-library/react'
import {
  useDebounce,
  useDebouncedCallback,
  useLimiter,
  useThrottle,
  useThrottledCallback,
  useThrottledEvent,
  useThrottledResize,
} from 'lull'
import { createLimiter, tokenBucket, type Clock } from 'lull/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createHideablePage, GRIDS } from '../../chaos/hideable-page.ts'
import { createBusyClock } from '../../core/time/clocks.ts'
import { stubResizeObserver } from '../support/fake-resize-observer.ts'
import { createOnClock, modes, onThatClock, renderHookOn } from '../support/render-on-clock.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe.each(modes)('a hidden page, %s', (mode) => {
  it('handles events and sizes within 100 ms where no frame is ever called back', () => {
    const onClock = createOnClock(mode)
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const layout = stubResizeObserver()
    const element = document.createElement('div')
    const withoutFrames: Clock = { ...onClock.clock, frame: () => () => undefined }
    const runs: string[] = []
    const { unmount } = renderHookOn(
      onThatClock(mode, withoutFrames),
      () => {
        useThrottledEvent(element, 'scroll', () => runs.push('scroll'))
        useThrottledResize(element, ({ contentRect }) => runs.push(`${contentRect.width} wide`))
      },
      undefined,
    )
    for (const width of [10, 20, 30]) {
      fireEvent.scroll(element)
      layout.resize(element, width)
    }
    onClock.advance(99)
    expect(runs).toEqual([])
    onClock.advance(1)
    expect(runs).toEqual(['scroll', '30 wide'])
    unmount()
    expect(onClock.clock.pending).toBe(0)
  })

  it.each(GRIDS)(
    'runs and shows late, and on time when it is back: with timers at multiples of %d ms',
    (grid) => {
      const { clock, hide, show, reachNow } = createHideablePage()
      const reach = (at: number): void => act(() => reachNow(at))
      hide(grid)
      const runs: [name: string, text: string, at: number][] = []
      const { result, rerender, unmount } = renderHookOn(
        onThatClock(mode, clock),
        ({ value }) => ({
          debounced: useDebouncedCallback((text: string) => runs.push(['debounced', text, clock.now()]), 300),
          throttled: useThrottledCallback((text: string) => runs.push(['throttled', text, clock.now()]), 300),
          shown: [useDebounce(value, 300), useThrottle(value, 300)],
        }),
        { value: 'none' },
      )
      const call = (value: string): void => {
        result.current.debounced(value)
        result.current.throttled(value)
        rerender({ value })
      }
      call('a')
      reach(10)
      call('b')
      reach(grid - 1)
      expect(runs).toEqual([['throttled', 'a', 0]])
      expect(result.current.shown).toEqual(['none', 'a'])
      reach(grid)
      expect(runs.slice(1)).toEqual([
        ['debounced', 'b', grid],
        ['throttled', 'b', grid],
      ])
      expect(result.current.shown).toEqual(['b', 'b'])
      reach(grid + 50)
      show()
      call('c')
      reach(grid + 299)
      expect(result.current.shown).toEqual(['b', 'b'])
      reach(grid + 300)
      expect(result.current.shown).toEqual(['b', 'c'])
      reach(grid + 350)
      expect(result.current.shown).toEqual(['c', 'c'])
      reach(3 * grid)
      expect(runs.slice(3)).toEqual([
        ['throttled', 'c', grid + 300],
        ['debounced', 'c', grid + 350],
      ])
      unmount()
    },
  )

  it('makes one run, not one for each call, when timers that were frozen for a minute go on', () => {
    const { clock, advance, block } = createBusyClock()
    const runs: [name: string, n: number, at: number][] = []
    const { result, unmount } = renderHookOn(
      onThatClock(mode, clock),
      () => ({
        debounced: useDebouncedCallback((n: number) => runs.push(['debounced', n, clock.now()]), 1000),
        throttled: useThrottledCallback((n: number) => runs.push(['throttled', n, clock.now()]), 1000),
      }),
      undefined,
    )
    const { debounced, throttled } = result.current
    for (let n = 1; n <= 5; n++) {
      debounced(n)
      throttled(n)
    }
    block(60_000)
    advance(0)
    expect(runs).toEqual([
      ['throttled', 1, 0],
      ['debounced', 5, 60_000],
      ['throttled', 5, 60_000],
    ])
    advance(60_000)
    expect(runs).toHaveLength(3)
    unmount()
  })

  it('a limiter has the tokens of a minute of frozen timers, and no more than its burst', () => {
    const { clock, advance, block } = createBusyClock()
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 30 }), { clock })
    const { result, unmount } = renderHookOn(
      onThatClock(mode, clock),
      () => useLimiter(limiter, (snapshot) => snapshot.denied),
      undefined,
    )
    const take = (): number => {
      let taken = 0
      act(() => {
        while (limiter.allow()) taken++
      })
      return taken
    }
    expect(take()).toBe(30)
    block(20_000)
    expect(take()).toBe(20)
    block(60_000)
    advance(0)
    expect(take()).toBe(30)
    expect(result.current).toBe(3)
    unmount()
  })
})
