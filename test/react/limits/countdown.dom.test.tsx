import { act } from '@testing-library/react'
import { useCountdown, useRateLimitStatus } from 'lull'
import { createRateLimitedFetch } from 'lull/fetch'
import { useEffect } from 'react'
import { describe, expect, it } from 'vitest'
import { createBusyClock } from '../../core/time/clocks.ts'
import { createScriptedFetch } from '../support/scripted-fetch.ts'
import { createOnClock, modes, onThatClock, renderHookOn } from '../support/render-on-clock.tsx'

describe.each(modes)('how long there is to wait, %s', (mode) => {
  /** A button that is off while the server has us wait, as a paced fetch and a countdown tell. */
  function renderRetry(retryAfter: string) {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const refusal = { status: 429, headers: { 'Retry-After': retryAfter } }
    const server = createScriptedFetch(clock, [refusal])
    const paced = createRateLimitedFetch({ clock, fetch: server.fetch, maxRetries: 0, random: () => 0 })
    const log: string[] = []
    const ticks: [seconds: number, at: number][] = []
    const { result, unmount } = renderHookOn(
      onClock,
      () => {
        const gate = useRateLimitStatus(paced, (snapshot) => snapshot.gate)
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
    return {
      ...onClock,
      state: () => result.current,
      log,
      ticks,
      unmount,
      refuse: async () => {
        act(() => void paced('http://api.test/'))
        await act(() => clock.advanceAsync(20))
      },
    }
  }

  it('counts down once a second, turns the button on once, and has no timer then', async () => {
    const { clock, refuse, state, log, ticks, unmount } = renderRetry('3')
    expect(state()).toEqual({ isLimited: false, seconds: 0 })
    await refuse()
    expect(state()).toEqual({ isLimited: true, seconds: 3 })
    for (let ms = 0; ms < 5000; ms += 100) await act(() => clock.advanceAsync(100))
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
    unmount()
  })

  it('is right at once when the machine has slept', async () => {
    const { clock, refuse, state, log } = renderRetry('60')
    await refuse()
    expect(state().seconds).toBe(60)
    clock.setWall(clock.wall() + 45_000)
    expect(state().seconds).toBe(60)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(state().seconds).toBe(15)
    await act(() => clock.advanceAsync(1000))
    expect(state().seconds).toBe(14)
    clock.setWall(clock.wall() + 3_600_000)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(state().seconds).toBe(0)
    await act(() => clock.advanceAsync(100_000))
    expect(log).toEqual(['on', 'off', 'on'])
    expect(clock.pending).toBe(0)
  })

  it('skips what it was too late for where timers are stretched to one a minute', () => {
    const { clock, advance, block } = createBusyClock()
    const seen: number[] = []
    const { unmount } = renderHookOn(
      onThatClock(mode, clock),
      () => {
        const seconds = useCountdown(90_000)
        useEffect(() => void seen.push(seconds), [seconds])
      },
      undefined,
    )
    for (let minute = 0; minute < 2; minute++) {
      act(() => block(60_000))
      act(() => advance(0))
    }
    expect([...new Set(seen)]).toEqual([90, 30, 0])
    unmount()
  })

  it('has no timer after an unmount', async () => {
    const { clock, refuse, unmount } = renderRetry('60')
    await refuse()
    expect(clock.pending).toBeGreaterThan(0)
    unmount()
    const ofTheGate = clock.pending
    await clock.advanceAsync(60_000)
    expect(ofTheGate).toBeLessThanOrEqual(1)
    expect(clock.pending).toBe(0)
  })
})
