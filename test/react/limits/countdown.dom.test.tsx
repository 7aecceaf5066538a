import { act } from '@testing-library/react'
import { useCountdown, useRateLimitStatus } from 'lull'
import { createRateLimitedFetch } from 'lull/fetch'
import { useEffect } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createBusyClock } from '../../core/time/clocks.ts'
import { createScriptedFetch } from '../support/scripted-fetch.ts'
import { createOnClock, modes, onThatClock, renderHookOn } from '../support/render-on-clock.tsx'

describe.each(modes)('a countdown, %s', (mode) => {
  /** A button that is off during the cooldown of a rate-limited fetch, by its status and a countdown. */
  async function renderRefused(retryAfter: string) {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const server = createScriptedFetch(clock, [{ status: 429, headers: { 'Retry-After': retryAfter } }])
    const fetch = createRateLimitedFetch({ clock, fetch: server.fetch, maxRetries: 0, random: () => 0 })
    const log: string[] = []
    const ticks: [seconds: number, at: number][] = []
    const { result, unmount } = renderHookOn(
      onClock,
      () => {
        const gate = useRateLimitStatus(fetch, (snapshot) => snapshot.gate)
        const seconds = useCountdown(gate.until)
        const isOff = seconds > 0
        useEffect(() => void log.push(isOff ? 'off' : 'on'), [isOff])
        useEffect(() => void ticks.push([seconds, clock.now()]), [seconds])
        return { isLimited: !gate.open, seconds }
      },
      undefined,
    )
    // A mount in StrictMode runs each effect twice.
    log.splice(1)
    ticks.splice(1)
    expect(result.current).toEqual({ isLimited: false, seconds: 0 })
    act(() => void fetch('http://api.test/'))
    await onClock.advanceAsync(20)
    return { ...onClock, state: () => result.current, log, ticks, unmount }
  }

  it('ticks once a second, turns the button on once, and has no timer then', async () => {
    const { clock, advanceAsync, state, log, ticks } = await renderRefused('3')
    expect(state()).toEqual({ isLimited: true, seconds: 3 })
    for (let ms = 0; ms < 5000; ms += 100) await advanceAsync(100)
    expect(state()).toEqual({ isLimited: false, seconds: 0 })
    expect(ticks).toEqual([
      [0, 0],
      [3, 20],
      [2, 1020],
      [1, 2020],
      [0, 3020],
    ])
    expect(log).toEqual(['on', 'off', 'on'])
    expect(clock.pending).toBe(0)
  })

  it('is right at once when the machine has slept', async () => {
    const { clock, advanceAsync, state, log } = await renderRefused('60')
    const wakeAfter = (ms: number): void => {
      clock.setWall(clock.wall() + ms)
      act(() => void document.dispatchEvent(new Event('visibilitychange')))
    }
    expect(state().seconds).toBe(60)
    wakeAfter(45_000)
    expect(state().seconds).toBe(15)
    await advanceAsync(1000)
    expect(state().seconds).toBe(14)
    wakeAfter(3_600_000)
    expect(state().seconds).toBe(0)
    await advanceAsync(100_000)
    expect(log).toEqual(['on', 'off', 'on'])
    expect(clock.pending).toBe(0)
  })

  it('skips seconds where timers are late by a minute', () => {
    const { clock, advance, block } = createBusyClock()
    const seen = new Set<number>()
    const after = vi.spyOn(clock, 'after')
    const { unmount } = renderHookOn(
      onThatClock(mode, clock),
      () => {
        const seconds = useCountdown(90_000)
        useEffect(() => void seen.add(seconds), [seconds])
      },
      undefined,
    )
    after.mockClear()
    for (let minute = 0; minute < 2; minute++) {
      act(() => block(60_000))
      act(() => advance(0))
    }
    expect([...seen]).toEqual([90, 30, 0])
    expect(after).toHaveBeenCalledTimes(1)
    unmount()
  })

  it('has no timer after an unmount', async () => {
    const { clock, unmount } = await renderRefused('60')
    const before = clock.pending
    unmount()
    expect(clock.pending).toBeLessThan(before)
    await clock.advanceAsync(60_000)
    expect(clock.pending).toBe(0)
  })

  it('is right through any number of renders, ends and changes', () => {
    const onClock = createOnClock(mode)
    let commits = 0
    const { result, rerender } = renderHookOn<number, { until: number | undefined }>(
      onClock,
      ({ until }: { until: number | undefined }) => {
        const seconds = useCountdown(until)
        useEffect(() => {
          commits++
        }, [seconds])
        return seconds
      },
      { until: 3500 },
    )
    const before = commits
    for (let ms = 0; ms < 3500; ms += 50) {
      expect(result.current).toBe(Math.ceil((3500 - ms) / 1000))
      rerender({ until: 3500 })
      onClock.advance(50)
    }
    expect([result.current, commits - before, onClock.clock.pending]).toEqual([0, 4, 0])
    const cases: [until: number | undefined, seconds: number][] = [
      [undefined, 0],
      [Infinity, Infinity],
      [4600, 2],
      [0, 0],
    ]
    for (const [until, seconds] of cases) {
      rerender({ until })
      expect(result.current).toBe(seconds)
    }
    expect(onClock.clock.pending).toBe(0)
  })
})
