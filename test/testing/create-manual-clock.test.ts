import fc from 'fast-check'
import { createManualClock, type ManualClock } from 'lull/testing'
import { describe, expect, it, vi } from 'vitest'
import { anyOf, type Of } from '../laws/steps.ts'
import { forAllAsync } from '../laws/tries.ts'

const ms = fc.oneof(fc.constantFrom(0, 1, 10, 16, 16, 50, 0.25), fc.double({ min: 0, max: 100, noNaN: true }))
const delay = fc.oneof({ weight: 3, arbitrary: ms }, fc.constantFrom(-5, -Infinity, NaN, Infinity))
const chain = fc.array(ms, { maxLength: 3 })
const steps = fc.array(
  anyOf({
    after: [4, { ms: delay, chain }],
    frame: [1, { chain }],
    prevent: [2, { n: fc.nat(20) }],
    'advance setWall': [4, { ms }],
  }),
  { minLength: 10, maxLength: 40 },
)

type Step = Of<typeof steps>

/**
 * Per callback and per step: the name of the timer, or the number of the step, the readings, and the number
 * of timers left.
 */
type Log = [name: number | string, now: number, wall: number, pending: number][]

/** A naive clock that searches all timers for the next due one. */
function oracle(startMs: number, script: readonly Step[]): Log {
  const log: Log = []
  let now = startMs
  let wall = startMs
  let timers: { id: number; at: number; chain: readonly number[] }[] = []
  let made = 0
  const set = (at: number, chain: readonly number[]): void => {
    if (!(at > now)) at = now
    timers.push({ id: made++, at, chain })
  }
  const moveTo = (at: number): void => {
    wall += at - now
    now = at
  }
  for (const step of script) {
    if (step.do === 'after') set(now + step.ms, step.chain)
    else if (step.do === 'frame') set(Math.floor(now / 16) * 16 + 16, step.chain)
    else if (step.do === 'prevent') timers = timers.filter(({ id }) => id !== step.n)
    else if (step.do === 'setWall') wall = step.ms
    else {
      const end = now + step.ms
      for (;;) {
        const at = Math.min(...timers.map((timer) => timer.at))
        const next = timers.find((timer) => timer.at === at)
        if (!next || at > end) break
        timers = timers.filter((timer) => timer !== next)
        moveTo(at)
        log.push([next.id, now, wall, timers.length])
        if (next.chain.length > 0) set(now + next.chain[0]!, next.chain.slice(1))
      }
      moveTo(end)
    }
    log.push([step.do, now, wall, timers.length])
  }
  return log
}

async function play(startMs: number, script: readonly Step[], isAsync: boolean): Promise<Log> {
  const clock = createManualClock(startMs)
  const log: Log = []
  const prevents: (() => void)[] = []
  const note = (name: Log[number][0]): number => log.push([name, clock.now(), clock.wall(), clock.pending])
  const onDue = (chain: readonly number[]): (() => void) => {
    const id = prevents.length
    return (...args: unknown[]) => {
      expect(args).toEqual([])
      note(id)
      const goOn = (): void => {
        if (chain.length > 0) prevents.push(clock.after(chain[0]!, onDue(chain.slice(1))))
      }
      // Code after an `await` runs at the same instant.
      if (isAsync) void Promise.resolve().then(goOn)
      else goOn()
    }
  }
  for (const step of script) {
    if (step.do === 'after') prevents.push(clock.after(step.ms, onDue(step.chain)))
    else if (step.do === 'frame') prevents.push(clock.frame(onDue(step.chain)))
    else if (step.do === 'prevent') prevents[step.n]?.()
    else if (step.do === 'setWall') clock.setWall(step.ms)
    else if (isAsync) await clock.advanceAsync(step.ms)
    else clock.advance(step.ms)
    note(step.do)
  }
  return log
}

describe.each(['advance', 'advanceAsync'] as const)('%s', (how) => {
  it('calls back in order of due times, each at its exact instant', async () => {
    await forAllAsync(300, fc.constantFrom(0, 5000, -40, 0.25, 2 ** 41), steps, async (startMs, script) => {
      expect(await play(startMs, script, how === 'advanceAsync')).toEqual(oracle(startMs, script))
    })
  })

  /** Returns a promise either way. */
  const advance = async (clock: ManualClock, ms: number): Promise<void> => clock[how](ms)

  it.each([-1, NaN, -Infinity, undefined])('throws for %o, and does nothing', async (ms) => {
    const clock = createManualClock()
    const callback = vi.fn()
    clock.after(0, callback)
    await expect(advance(clock, ms as number)).rejects.toThrow(RangeError)
    await expect(advance(clock, ms as number)).rejects.toThrow(String(ms))
    expect(callback).not.toHaveBeenCalled()
    expect([clock.now(), clock.pending]).toEqual([0, 1])
  })

  it.each([new Error('a'), undefined])('goes on if a callback throws %s, then rethrows it', async (error) => {
    const clock = createManualClock()
    const called: number[] = []
    for (const at of [10, 20])
      clock.after(at, () => {
        called.push(clock.now())
        throw at === 10 ? (error as Error) : new Error('later')
      })
    await expect(advance(clock, 100)).rejects.toBe(error)
    expect([called, clock.now(), clock.pending]).toEqual([[10, 20], 100, 0])
    await advance(clock, 100)
  })

  it('allows a callback to cancel another that is due at the same instant', async () => {
    const clock = createManualClock()
    const callback = vi.fn()
    clock.after(10, () => prevent())
    const prevent = clock.after(10, callback)
    await advance(clock, 100)
    expect(callback).not.toHaveBeenCalled()
    expect(clock.pending).toBe(0)
  })
})

it('stands still until it is advanced, and nobody can set the number of pending timers', () => {
  const clock = createManualClock()
  expect(new Set(Array.from({ length: 1000 }, () => clock.now()))).toEqual(new Set([0]))
  expect(() => Object.assign(clock, { pending: 5 })).toThrow(TypeError)
})

it('throws for an endless loop of timers without delay', () => {
  const clock = createManualClock()
  let stop = clock.after(5, function again() {
    stop = clock.after(0, again)
  })
  expect(() => clock.advance(10)).toThrow(/at 5 ms.*endless/)
  stop()
  expect(clock.pending).toBe(0)
})

it('does not move back if a callback advances it', () => {
  const clock = createManualClock()
  const instants: number[] = []
  clock.after(5, () => clock.advance(100))
  clock.after(50, () => instants.push(clock.now()))
  clock.advance(10)
  expect(instants).toEqual([50])
  expect([clock.now(), clock.wall()]).toEqual([105, 105])
})

it('does not move back if two `advanceAsync` overlap', async () => {
  const clock = createManualClock()
  const readings: number[] = []
  for (const delayMs of [10, 20, 30, 40]) clock.after(delayMs, () => readings.push(clock.now()))
  await Promise.all([clock.advanceAsync(100), clock.advanceAsync(15).then(() => readings.push(clock.now()))])
  expect(readings).toEqual(readings.toSorted((a, b) => a - b))
  expect(clock.now()).toBeGreaterThanOrEqual(100)
  expect(clock.wall()).toBe(clock.now())
})

it.each([
  ['in Node', globalThis.MessageChannel],
  ['in the Edge runtime, which has no message tasks', undefined],
])('runs all pending promise continuations before `advanceAsync` starts: %s', async (_, channel) => {
  vi.stubGlobal('MessageChannel', channel)
  const clock = createManualClock()
  const instants: number[] = []
  void (async () => {
    for (let turn = 0; turn < 100; turn++) await Promise.resolve()
    clock.after(0, () => instants.push(clock.now()))
  })()
  await clock.advanceAsync(0)
  expect(instants).toEqual([0])
})

it('works under fake timers', async () => {
  vi.useFakeTimers()
  const clock = createManualClock()
  const instants: number[] = []
  void new Promise<void>((resolve) => clock.after(10, resolve)).then(() => instants.push(clock.now()))
  await clock.advanceAsync(20)
  expect([instants, vi.getTimerCount()]).toEqual([[10], 0])
})

it.each([NaN, Infinity, '5', null])('throws for %o as an instant', (ms) => {
  expect(() => createManualClock(ms as number)).toThrow(RangeError)
  expect(() => createManualClock().setWall(ms as number)).toThrow(RangeError)
})
