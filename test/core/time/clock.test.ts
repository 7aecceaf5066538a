import { systemClock, wallClock } from 'lull/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

beforeEach(() => {
  vi.useFakeTimers({ now: 5000 })
})

afterEach(() => {
  // Unstub first: the stubs have replaced the fake timers.
  vi.unstubAllGlobals()
  expect(vi.getTimerCount()).toBe(0)
})

describe('systemClock', () => {
  it('looks up performance.now and Date.now at each reading', () => {
    vi.stubGlobal('performance', { now: () => 12.5 })
    expect(systemClock.now()).toBe(12.5)
    expect(systemClock.wall()).toBe(5000)
    vi.stubGlobal('performance', { now: () => 13.5 })
    vi.setSystemTime(7000)
    expect(systemClock.now()).toBe(13.5)
    expect(systemClock.wall()).toBe(7000)
  })

  it.each([
    [0, 0],
    [0.1, 1],
    [1, 1],
    [15.2, 16],
    [2 ** 31 - 1, 2 ** 31 - 1],
  ])('sets timers in whole milliseconds: %d becomes %d', (delayMs, whole) => {
    const setTimeout = vi.fn()
    vi.stubGlobal('setTimeout', setTimeout)
    systemClock.after(delayMs, vi.fn())
    expect(setTimeout.mock.calls[0]?.[1]).toBe(whole)
  })

  it('does not call a cancelled callback; cancelling afterwards has no effect', () => {
    const callback = vi.fn()
    const prevent = systemClock.after(100, callback)
    prevent()
    prevent()
    vi.advanceTimersByTime(1000)
    expect(callback).not.toHaveBeenCalled()
    const tooLate = systemClock.after(100, callback)
    vi.advanceTimersByTime(100)
    tooLate()
    expect(callback).toHaveBeenCalledTimes(1)
  })

  it('looks up the timer functions at each call', () => {
    const [setTimeout, clearTimeout] = [vi.fn(() => 'id'), vi.fn()]
    vi.stubGlobal('setTimeout', setTimeout)
    vi.stubGlobal('clearTimeout', clearTimeout)
    systemClock.after(100, vi.fn())()
    expect(setTimeout).toHaveBeenCalledTimes(1)
    expect(clearTimeout.mock.calls).toEqual([['id']])
  })

  it('calls back in the next frame, unless cancelled', () => {
    const frames = new Map<number, () => void>()
    vi.stubGlobal(
      'requestAnimationFrame',
      (callback: () => void) => frames.set(frames.size + 1, callback).size,
    )
    vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id))
    const callback = vi.fn()
    const prevent = systemClock.frame!(callback)
    expect(frames.size).toBe(1)
    frames.get(1)!()
    expect(callback).toHaveBeenCalledTimes(1)
    prevent()
    expect(frames.size).toBe(0)
  })

  it('never calls back without frames, and can be cancelled', () => {
    vi.stubGlobal('requestAnimationFrame', undefined)
    vi.stubGlobal('cancelAnimationFrame', undefined)
    const callback = vi.fn()
    const prevent = systemClock.frame!(callback)
    vi.advanceTimersByTime(1000)
    prevent()
    expect(callback).not.toHaveBeenCalled()
  })
})

it('wallClock reads only the wall clock', () => {
  expect([wallClock.now(), wallClock.wall()]).toEqual([5000, 5000])
  vi.setSystemTime(1000)
  expect([wallClock.now(), wallClock.wall()]).toEqual([1000, 1000])
})
