import { act } from '@testing-library/react'
import { useCountdown, useLimiter, useRateLimitedFetch, useRateLimitStatus, useRateMeter } from 'lull'
import { createLimiter, createRateMeter, tokenBucket } from 'lull/core'
import { createRateLimitedFetch } from 'lull/fetch'
import { useEffect, useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createChaosClock } from '../../chaos/chaos-clock.ts'
import { createOnClock, inTask, modes, onThatClock, renderHookOn, renderOn } from '../support/render.tsx'
import { createFakeServer, tooMany } from '../../fetch/fixtures/fake-server.ts'

it.each(modes)('another source or select applies from the render that gives it, %s', (mode) => {
  const { clock, ...onClock } = createOnClock(mode)
  const sources = [1, 2].map(createDrifting)
  const meters = [1, 2].map(() => createRateMeter({ clock }))
  const fetches = [1, 2].map(() => createRateLimitedFetch({ clock }))
  sources[1]!.change('other')
  meters[1]!.add(5)
  const { result, rerender, unmount } = renderHookOn<unknown, number>(
    onClock,
    (n) => [
      useLimiter(sources[n]!).value,
      useLimiter(sources[0]!, ({ value }) => value + n),
      useRateMeter(meters[n]!) > 0,
      useRateLimitedFetch(fetches[n]) === fetches[n],
    ],
    0,
  )
  expect(result.current).toEqual(['first', 'first0', false, true])
  rerender(1)
  expect(result.current).toEqual(['other', 'first1', true, true])
  unmount()
})

/** An object that changes with time: each snapshot is a new object, as the number of reads differs. */
function createDrifting() {
  const listeners = new Set<() => void>()
  let value = 'first'
  let reads = 0
  return {
    snapshot: () => ({ value, reads: ++reads }),
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change(next: string) {
      value = next
      for (const listener of listeners) listener()
    },
  }
}

describe.each(modes)('the snapshot of a limiter, %s', (mode) => {
  it('is the same for two successive reads by React, though time has changed it', () => {
    const drifting = createDrifting()
    const renders: string[] = []
    function Box(): ReactNode {
      const { value } = useLimiter(drifting)
      useEffect(() => void renders.push(value))
      return value
    }
    const { container } = renderOn(createOnClock(mode), <Box />)
    renders.length = 0
    act(() => drifting.change('second'))
    expect(container.textContent).toBe('second')
    expect(renders).toEqual(['second'])
  })

  it('throws an error of select in the render, not at the caller of the change', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const drifting = createDrifting()
    renderHookOn(createOnClock(mode), () =>
      useLimiter(drifting, ({ value }) => {
        if (value === 'bad') throw new Error('cannot read that')
      }),
    )
    expect(() => act(() => drifting.change('bad'))).toThrow('cannot read that')
  })

  it('causes no render loop with an inline selector that returns new objects', async () => {
    const { clock, advanceAsync, ...onClock } = createOnClock(mode)
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 1, burst: 2 }), { clock })
    const rendered = vi.fn<() => void>()
    const { result, rerender } = renderHookOn(onClock, () => {
      useEffect(() => rendered())
      return useLimiter(limiter, ({ allowed, ...rest }) => ({ allowed, rest: { ...rest } }))
    })
    const mounted = rendered.mock.calls.length
    await inTask(() => [1, 2, 3].map(() => limiter.allow()))
    expect(result.current).toMatchObject({ allowed: 2, rest: { denied: 1 } })
    await advanceAsync(5000)
    rerender(undefined)
    expect(rendered.mock.calls.length - mounted).toBeLessThanOrEqual(2)
  })
})

describe.each(modes)('the rate of a meter, %s', (mode) => {
  it('continues when the interval changes, or after a late mount', () => {
    const { clock, ...onClock } = createOnClock(mode)
    const meter = createRateMeter({ clock })
    const shown: number[] = []
    meter.add(5)
    const { rerender, unmount } = renderHookOn<undefined, number>(
      onClock,
      (intervalMs) => {
        const rate = useRateMeter(meter, { intervalMs })
        useLayoutEffect(() => void shown.push(rate))
      },
      1000,
    )
    expect(Math.min(...shown.splice(0))).toBeGreaterThan(0)
    rerender(500)
    expect(Math.min(...shown)).toBeGreaterThan(0)
    unmount()
  })

  it('updates at once after a pause, then every `intervalMs`', async () => {
    const { clock, advanceAsync, ...onClock } = createOnClock(mode)
    const meter = createRateMeter({ clock })
    const shownAt = new Set<number>()
    renderHookOn(onClock, () => {
      const rate = useRateMeter(meter, { intervalMs: 500 })
      useLayoutEffect(() => {
        if (rate > 0) shownAt.add(clock.now())
      }, [rate])
    })
    for (let ms = 0; ms < 1200; ms += 100) {
      await inTask(() => meter.add())
      await advanceAsync(100)
    }
    expect([...shownAt]).toEqual([0, 500, 1000])
    await advanceAsync(60_000)
  })
})

describe.each(modes)('a countdown, %s', (mode) => {
  it('is correct immediately after the machine has slept', async () => {
    const { clock, advanceAsync, ...onClock } = createOnClock(mode)
    const server = createFakeServer(clock, [tooMany(60)])
    const fetch = createRateLimitedFetch({ clock, fetch: server.fetch, maxRetries: 0, random: () => 0 })
    const { result } = renderHookOn(onClock, () =>
      useCountdown(useRateLimitStatus(fetch, ({ gate }) => gate.until)),
    )
    const wakeAfter = (ms: number): void => {
      clock.setWall(clock.wall() + ms)
      act(() => void document.dispatchEvent(new Event('visibilitychange')))
    }
    act(() => void fetch('http://api.test/'))
    await advanceAsync(20)
    expect(result.current).toBe(60)
    wakeAfter(45_000)
    expect(result.current).toBe(15)
    await advanceAsync(1000)
    expect(result.current).toBe(14)
    wakeAfter(3_600_000)
    expect(result.current).toBe(0)
    await advanceAsync(100_000)
  })

  it('skips seconds when timers are a minute late', () => {
    const clock = createChaosClock(() => 0.5, 0)
    const seen = new Set<number>()
    const after = vi.spyOn(clock, 'after')
    const { unmount } = renderHookOn(onThatClock(mode, clock), () => {
      const seconds = useCountdown(90_000)
      useEffect(() => void seen.add(seconds), [seconds])
    })
    after.mockClear()
    for (let minute = 0; minute < 2; minute++) {
      act(() => clock.block(60_000))
      act(() => void clock.pass(0).next())
    }
    expect([...seen]).toEqual([90, 30, 0])
    expect(after).toHaveBeenCalledTimes(1)
    unmount()
  })

  it('counts each second of the timers if the clock stands still, as where a test fakes only the timers', () => {
    const { clock, advance } = createOnClock(mode)
    const still = { ...clock, now: () => 0, wall: () => 0 }
    const { result } = renderHookOn(onThatClock(mode, still), () => useCountdown(5000))
    for (const seconds of [5, 4, 3, 2, 1, 0]) {
      expect(result.current).toBe(seconds)
      advance(1000)
    }
  })

  it('is correct through any number of renders, ends and changes, with one commit a second', () => {
    const { clock, advance, ...onClock } = createOnClock(mode)
    const changed = vi.fn<() => void>()
    const { result, rerender } = renderHookOn<number, number | undefined>(
      onClock,
      (until) => {
        const seconds = useCountdown(until)
        useEffect(() => changed(), [seconds])
        return seconds
      },
      3500,
    )
    changed.mockClear()
    for (let ms = 0; ms < 3500; ms += 50) {
      expect(result.current).toBe(Math.ceil((3500 - ms) / 1000))
      rerender(3500)
      advance(50)
    }
    expect([result.current, changed.mock.calls.length, clock.pending]).toEqual([0, 4, 0])
    for (const [until, seconds] of [
      [undefined, 0],
      [Infinity, Infinity],
      [4600, 2],
      [0, 0],
    ] as const) {
      rerender(until)
      expect(result.current).toBe(seconds)
    }
  })
})
