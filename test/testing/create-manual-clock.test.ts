import fc from 'fast-check'
import { createManualClock, type ManualClock } from 'lull/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { tries } from '../laws/tries.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Sets a timer for each delay; each notes the instant at which it is called and its name. */
function setTimers(clock: ManualClock, delays: Record<string, number>): [at: number, name: string][] {
  const called: [number, string][] = []
  for (const [name, delayMs] of Object.entries(delays)) {
    clock.after(delayMs, () => called.push([clock.now(), name]))
  }
  return called
}

describe('now', () => {
  it('is 0 at first', () => {
    const clock = createManualClock()
    expect([clock.now(), clock.wall(), clock.pending]).toEqual([0, 0, 0])
  })

  it.each([5000, -5000, 0.25, 2 ** 41])(
    'is %d at first where asked for, and goes on from there',
    (startMs) => {
      const clock = createManualClock(startMs)
      expect([clock.now(), clock.wall()]).toEqual([startMs, startMs])
      const called = setTimers(clock, { a: 10 })
      clock.advance(25)
      expect([clock.now(), clock.wall()]).toEqual([startMs + 25, startMs + 25])
      expect(called).toEqual([[startMs + 10, 'a']])
    },
  )

  it('stands still until the clock is advanced', () => {
    const clock = createManualClock()
    const readings = Array.from({ length: 1000 }, () => clock.now())
    expect(new Set(readings)).toEqual(new Set([0]))
  })
})

describe('after', () => {
  it('calls back once, at its instant, and not before the clock is advanced', () => {
    const clock = createManualClock()
    const called = setTimers(clock, { a: 10 })
    expect(called).toEqual([])
    clock.advance(9)
    expect(called).toEqual([])
    clock.advance(1)
    clock.advance(100)
    expect(called).toEqual([[10, 'a']])
  })

  it.each([0, -5, -Infinity, NaN])('takes a delay of %d for 0: the next task', (delayMs) => {
    const clock = createManualClock()
    const called = setTimers(clock, { a: delayMs })
    expect(called).toEqual([])
    clock.advance(0)
    expect(called).toEqual([[0, 'a']])
  })

  it('never calls back at Infinity', () => {
    const clock = createManualClock()
    const callback = vi.fn()
    const prevent = clock.after(Infinity, callback)
    clock.advance(1e15)
    expect(callback).not.toHaveBeenCalled()
    prevent()
    expect(clock.pending).toBe(0)
  })

  it('keeps fractions of a millisecond', () => {
    const clock = createManualClock()
    const called = setTimers(clock, { a: 0.5, b: 0.25 })
    clock.advance(0.25)
    expect(called).toEqual([[0.25, 'b']])
    clock.advance(0.25)
    expect(called).toEqual([
      [0.25, 'b'],
      [0.5, 'a'],
    ])
  })

  it('reads its instant to the last bit when it calls back, whatever the fractions', () => {
    const ms = fc.double({ min: 0, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(ms, fc.array(ms, { maxLength: 10 }), fc.array(ms), (startMs, delays, steps) => {
        const clock = createManualClock(startMs)
        const called: [reads: number, instant: number][] = []
        for (const delayMs of delays) {
          const instant = clock.now() + delayMs
          clock.after(delayMs, () => called.push([clock.now(), instant]))
        }
        for (const ms of [...steps, 1e6]) clock.advance(ms)
        expect(called).toHaveLength(delays.length)
        expect(called.filter(([reads, instant]) => reads !== instant)).toEqual([])
      }),
      tries(300),
    )
  })

  it('gives the callback no arguments', () => {
    const clock = createManualClock()
    const callback = vi.fn()
    clock.after(1, callback)
    clock.frame(callback)
    clock.advance(100)
    expect(callback.mock.calls).toEqual([[], []])
  })

  it('does not call back what was prevented', () => {
    const clock = createManualClock()
    const callback = vi.fn()
    const prevent = clock.after(10, callback)
    const other = setTimers(clock, { other: 10 })
    prevent()
    prevent()
    expect(clock.pending).toBe(1)
    clock.advance(100)
    expect(callback).not.toHaveBeenCalled()
    expect(other).toEqual([[10, 'other']])
  })

  it('takes no notice of a prevention that comes too late', () => {
    const clock = createManualClock()
    const callback = vi.fn()
    const prevent = clock.after(10, callback)
    clock.advance(10)
    const called = setTimers(clock, { later: 10 })
    prevent()
    clock.advance(10)
    expect(callback).toHaveBeenCalledTimes(1)
    expect(called).toEqual([[20, 'later']])
  })

  it('lets a callback prevent another that is due at the same instant', () => {
    const clock = createManualClock()
    const callback = vi.fn()
    clock.after(10, () => prevent())
    const prevent = clock.after(10, callback)
    clock.advance(100)
    expect(callback).not.toHaveBeenCalled()
    expect(clock.pending).toBe(0)
  })
})

describe('advance', () => {
  it('calls back in the order of the due times, those due together in the order they came', () => {
    const clock = createManualClock()
    const called = setTimers(clock, { c: 30, a: 10, d: 30, b: 20, e: 30 })
    clock.advance(100)
    expect(called).toEqual([
      [10, 'a'],
      [20, 'b'],
      [30, 'c'],
      [30, 'd'],
      [30, 'e'],
    ])
    expect(clock.now()).toBe(100)
  })

  it('runs a chain of timers at the instants of real life, in one step or in many', () => {
    const chain = (steps: number[]) => {
      const clock = createManualClock()
      const instants: number[] = []
      const next = (): void => {
        instants.push(clock.now())
        if (instants.length < 5) clock.after(10, next)
      }
      clock.after(10, next)
      for (const ms of steps) clock.advance(ms)
      return instants
    }
    expect(chain([50])).toEqual([10, 20, 30, 40, 50])
    expect(chain([35])).toEqual([10, 20, 30])
    expect(chain([1, 33, 1, 0, 15])).toEqual([10, 20, 30, 40, 50])
  })

  it('calls back at the same instant what a callback sets for at once', () => {
    const clock = createManualClock()
    const instants: number[] = []
    clock.after(10, () => clock.after(0, () => instants.push(clock.now())))
    clock.advance(10)
    expect(instants).toEqual([10])
  })

  it('calls back by 0 what is due now', () => {
    const clock = createManualClock()
    const called = setTimers(clock, { a: 0, b: 1 })
    clock.advance(0)
    expect(called).toEqual([[0, 'a']])
    expect(clock.pending).toBe(1)
    clock.advance(1)
    expect(clock.pending).toBe(0)
  })

  it.each([-1, NaN, -Infinity, undefined])('refuses %o, and does nothing', (ms) => {
    const clock = createManualClock()
    const called = setTimers(clock, { a: 0 })
    expect(() => clock.advance(ms as number)).toThrow(RangeError)
    expect(() => clock.advance(ms as number)).toThrow(String(ms))
    expect(called).toEqual([])
    expect(clock.now()).toBe(0)
    clock.advance(0)
  })

  it('is not stopped by what a callback throws, and throws the first of it at the end', () => {
    const clock = createManualClock()
    const called: [number, string][] = []
    for (const name of ['a', 'b']) {
      clock.after(10, () => {
        throw new Error(name)
      })
      clock.after(10, () => called.push([clock.now(), name]))
    }
    clock.after(50, () => called.push([clock.now(), 'c']))
    expect(() => clock.advance(100)).toThrow('a')
    expect(called).toEqual([
      [10, 'a'],
      [10, 'b'],
      [50, 'c'],
    ])
    expect(clock.now()).toBe(100)
    expect(clock.pending).toBe(0)
    expect(() => clock.advance(100)).not.toThrow()
  })

  it('throws undefined too where a callback does', () => {
    const clock = createManualClock()
    clock.after(10, () => {
      throw undefined as unknown as Error
    })
    const caught = vi.fn()
    try {
      clock.advance(10)
    } catch (error) {
      caught(error)
    }
    expect(caught.mock.calls).toEqual([[undefined]])
  })

  it('throws in place of going on for ever, where a timer sets itself again at once', () => {
    const clock = createManualClock()
    let stop = clock.after(5, function again() {
      stop = clock.after(0, again)
    })
    expect(() => clock.advance(10)).toThrow(/at 5 ms.*endless/)
    stop()
    expect(clock.pending).toBe(0)
  })

  it('does not move back where a callback advances the clock', () => {
    const clock = createManualClock()
    const instants: number[] = []
    clock.after(5, () => clock.advance(100))
    clock.after(50, () => instants.push(clock.now()))
    clock.advance(10)
    expect(instants).toEqual([50])
    expect([clock.now(), clock.wall()]).toEqual([105, 105])
  })
})

describe('wall', () => {
  it('moves with the clock, and alone by setWall', () => {
    const clock = createManualClock(1000)
    const called = setTimers(clock, { a: 20 })
    clock.advance(10)
    clock.setWall(-3_600_000)
    expect([clock.now(), clock.wall()]).toEqual([1010, -3_600_000])
    clock.advance(15)
    expect([clock.now(), clock.wall()]).toEqual([1025, -3_600_000 + 15])
    expect(called).toEqual([[1020, 'a']])
  })

  it('may be set from inside a callback', () => {
    const clock = createManualClock()
    clock.after(10, () => clock.setWall(5000))
    clock.advance(30)
    expect([clock.now(), clock.wall()]).toEqual([30, 5020])
  })
})

describe('frame', () => {
  it.each([
    [0, 16],
    [1, 16],
    [15.5, 16],
    [16, 32],
    [1000, 1008],
    [2 ** 41 + 1, 2 ** 41 + 16],
    [-5, 0],
    [-16, 0],
    [-40, -32],
  ])('comes each 16 ms: asked for at %d it comes at %d', (startMs, at) => {
    const clock = createManualClock(startMs)
    const instants: number[] = []
    clock.frame(() => instants.push(clock.now()))
    expect(clock.pending).toBe(1)
    clock.advance(100)
    expect(instants).toEqual([at])
    expect(clock.pending).toBe(0)
  })

  it('calls back in the next frame what was asked for in one', () => {
    const clock = createManualClock()
    const instants: number[] = []
    const frame = (): void => {
      instants.push(clock.now())
      if (instants.length < 4) clock.frame(frame)
    }
    clock.advance(3)
    clock.frame(frame)
    clock.advance(100)
    expect(instants).toEqual([16, 32, 48, 64])
  })

  it('does not come where it was prevented', () => {
    const clock = createManualClock()
    const callback = vi.fn()
    clock.frame(callback)()
    expect(clock.pending).toBe(0)
    clock.advance(100)
    expect(callback).not.toHaveBeenCalled()
  })
})

describe('pending', () => {
  it('counts what waits, timers and frames, and not what is being called', () => {
    const clock = createManualClock()
    const counts: number[] = []
    clock.after(10, () => counts.push(clock.pending))
    clock.after(20, () => counts.push(clock.pending))
    clock.frame(() => counts.push(clock.pending))
    expect(clock.pending).toBe(3)
    clock.advance(100)
    expect(counts).toEqual([2, 1, 0])
  })

  it('may not be set', () => {
    const clock = createManualClock()
    expect(() => Object.assign(clock, { pending: 5 })).toThrow(TypeError)
  })
})

describe('advanceAsync', () => {
  const sleep = (clock: ManualClock, ms: number) =>
    new Promise<void>((resolve) => {
      clock.after(ms, resolve)
    })

  it('lets promise continuations run after each callback, at its instant', async () => {
    const clock = createManualClock()
    const instants: number[] = []
    const sleeper = async () => {
      for (let turn = 0; turn < 5; turn++) {
        await sleep(clock, 10)
        instants.push(clock.now())
      }
    }
    const done = sleeper()
    await clock.advanceAsync(35)
    expect(instants).toEqual([10, 20, 30])
    expect(clock.now()).toBe(35)
    await clock.advanceAsync(15)
    await done
    expect(instants).toEqual([10, 20, 30, 40, 50])
    expect(clock.pending).toBe(0)
  })

  it('lets them run before it starts, however many follow each other', async () => {
    const clock = createManualClock()
    const instants: number[] = []
    void (async () => {
      for (let turn = 0; turn < 100; turn++) await Promise.resolve()
      clock.after(0, () => instants.push(clock.now()))
    })()
    await clock.advanceAsync(0)
    expect(instants).toEqual([0])
  })

  it('calls back as advance does', async () => {
    const clock = createManualClock()
    const called = setTimers(clock, { b: 20, a: 10, c: 20, late: 1000 })
    await clock.advanceAsync(30)
    expect(called).toEqual([
      [10, 'a'],
      [20, 'b'],
      [20, 'c'],
    ])
    expect([clock.now(), clock.wall(), clock.pending]).toEqual([30, 30, 1])
    await clock.advanceAsync(970)
  })

  it('rejects with the first error at the end', async () => {
    const clock = createManualClock()
    clock.after(10, () => {
      throw new Error('a')
    })
    const called = setTimers(clock, { b: 20 })
    await expect(clock.advanceAsync(30)).rejects.toThrow('a')
    expect(called).toEqual([[20, 'b']])
    expect(clock.now()).toBe(30)
  })

  it.each([-1, NaN])('rejects %d, and does nothing', async (ms) => {
    const clock = createManualClock()
    const called = setTimers(clock, { a: 0 })
    await expect(clock.advanceAsync(ms)).rejects.toThrow(RangeError)
    expect(called).toEqual([])
    expect(clock.now()).toBe(0)
    clock.advance(0)
  })

  it('does not move back where two of them overlap', async () => {
    const clock = createManualClock()
    const readings: number[] = []
    for (const delayMs of [10, 20, 30, 40]) clock.after(delayMs, () => readings.push(clock.now()))
    await Promise.all([
      clock.advanceAsync(100),
      clock.advanceAsync(15).then(() => readings.push(clock.now())),
    ])
    expect(readings).toEqual(readings.toSorted((a, b) => a - b))
    expect(clock.now()).toBeGreaterThanOrEqual(100)
    expect(clock.wall()).toBe(clock.now())
  })

  it('works under fake timers', async () => {
    vi.useFakeTimers()
    const clock = createManualClock()
    const instants: number[] = []
    void sleep(clock, 10).then(() => instants.push(clock.now()))
    await clock.advanceAsync(20)
    expect(instants).toEqual([10])
    expect(vi.getTimerCount()).toBe(0)
  })
})
