import fc from 'fast-check'
import { debounce, throttle, type Clock, type DebouncedFunction, type DebounceOptions } from 'lull/core'
import { describe, expect, it, vi } from 'vitest'
import {
  callScripts,
  edges,
  firstRunTooSoon,
  flushScripts,
  maxWaits,
  play,
  runsOf,
  scripts,
  waits,
  type Entry,
  type Fn,
} from '../shared/scripts.ts'
import { tries } from '../../laws/tries.ts'

// Thousands of scripts in a test, where all are asked for.
vi.setConfig({ testTimeout: 300_000 })

interface Timing {
  wait: number
  leading: boolean
  trailing: boolean
  maxWait?: number | undefined
}

const timing: fc.Arbitrary<Timing> = fc
  .record({ wait: waits, edges, maxWait: maxWaits })
  .map(({ edges, ...rest }) => ({ ...rest, ...edges }))

type Make = (fn: Fn, timing: Timing, clock: Clock) => DebouncedFunction<Fn>

const makeDebounce: Make = (fn, { wait, ...options }, clock) => debounce(fn, wait, { ...options, clock })

const makeThrottle: Make = (fn, { wait, leading, trailing }, clock) =>
  throttle(fn, wait, { leading, trailing, clock })

const kinds: [kind: string, make: Make][] = [
  ['debounce', makeDebounce],
  ['throttle', makeThrottle],
]

/** The instants of the calls, from the first. */
function callsOf(log: readonly Entry[]): { n: number; at: number }[] {
  return log.filter(({ what }) => what === 'call').map(({ n, at }) => ({ n: n!, at }))
}

describe.each(kinds)('%s', (_, make) => {
  it('never runs and sets no timer with both edges off', () => {
    fc.assert(
      fc.property(scripts, timing, (script, timing) => {
        const off = { ...timing, leading: false, trailing: false }
        const log = play(
          script,
          (fn, clock) => make(fn, off, clock),
          0,
          (held, clock) => {
            expect(held.isPending()).toBe(false)
            expect(clock.pending).toBe(0)
          },
        )
        expect(runsOf(log)).toEqual([])
        expect(log.filter(({ result }) => result !== undefined)).toEqual([])
      }),
      tries(500),
    )
  })

  it('runs the newest call that there is, each at most once, with its own arguments and this', () => {
    fc.assert(
      fc.property(scripts, timing, (script, timing) => {
        const log = play(script, (fn, clock) => make(fn, timing, clock))
        let newest = 0
        let lastRun = 0
        for (const { what, n, args, self } of log) {
          if (what === 'call') newest = n!
          if (what !== 'run') continue
          expect({ n, args, self }).toEqual({ n: newest, args: [newest, `call ${newest}`], self: newest })
          expect(newest).toBeGreaterThan(lastRun)
          lastRun = newest
        }
      }),
      tries(1000),
    )
  })

  it('is pending exactly while a run is due, and tells each change once', () => {
    fc.assert(
      fc.property(scripts, timing, (script, timing) => {
        const told: boolean[] = []
        let runs = 0
        const last = { runs: 0, isPending: false }
        play(
          script,
          (fn, clock) => {
            const held = make(
              function (...args) {
                runs++
                return fn.apply(this, args)
              },
              timing,
              clock,
            )
            held.subscribe(() => told.push(held.isPending()))
            return held
          },
          0,
          (held) => {
            Object.assign(last, { runs, isPending: held.isPending() })
            expect(last.isPending).toBe(told.at(-1) ?? false)
          },
        )
        expect(runs - last.runs).toBe(last.isPending ? 1 : 0)
        expect(told).toEqual(told.map((_, index) => index % 2 === 0))
        expect(told.length % 2).toBe(0)
      }),
      tries(1000),
    )
  })

  it('answers, runs and times alike at any origin of the clock', () => {
    fc.assert(
      fc.property(scripts, timing, fc.constantFrom(-1e6, -123, 2 ** 41), (script, timing, startMs) => {
        const make_ = (fn: Fn, clock: Clock) => make(fn, timing, clock)
        expect(play(script, make_, startMs)).toEqual(play(script, make_, 0))
      }),
      tries(500),
    )
  })

  it('takes no notice of the wall clock', () => {
    fc.assert(
      fc.property(scripts, timing, fc.array(fc.integer(), { minLength: 1 }), (script, timing, walls) => {
        const make_ = (fn: Fn, clock: Clock) => make(fn, timing, clock)
        let step = 0
        const log = play(script, make_, 0, (_, clock) => clock.setWall(walls[step++ % walls.length]!))
        expect(log).toEqual(play(script, make_, 0))
      }),
      tries(500),
    )
  })

  it.each([
    ['nothing', () => ({})],
    ['undefined', () => ({ wait: undefined, leading: undefined, trailing: undefined, maxWait: undefined })],
    ['what it has', ({ wait, leading, trailing }: Timing) => ({ wait, leading, trailing })],
  ])('runs as if it were not configured when it is configured to %s', (_, changes) => {
    fc.assert(
      fc.property(scripts, timing, (script, timing) => {
        const make_ = (fn: Fn, clock: Clock) => make(fn, timing, clock)
        const configured = play(script, make_, 0, (held) => held.configure(changes(timing)))
        expect(configured).toEqual(play(script, make_, 0))
      }),
      tries(1000),
    )
  })
})

describe.each(kinds)('%s', (_, make) => {
  it('runs the last call within the wait that it has by then, whatever it was before', () => {
    // For each step of the script the wait that is set after it, mostly none.
    const newWait = fc.oneof(
      { weight: 6, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(0, 5, 20, 100, 300) },
    )
    const newWaits = fc.array(newWait, { maxLength: 40, size: 'max' })
    fc.assert(
      fc.property(callScripts, timing, newWaits, (script, timing, newWaits) => {
        let { wait } = timing
        let configuredAt = 0
        let step = 0
        const log = play(
          script,
          (fn, clock) => make(fn, { ...timing, trailing: true }, clock),
          0,
          (held, clock) => {
            const newWait = newWaits[step++]
            if (newWait === undefined) return
            held.configure({ wait: newWait })
            wait = newWait
            configuredAt = clock.now()
          },
        )
        const lastCall = callsOf(log).at(-1)
        const lastRun = runsOf(log).at(-1)
        expect(lastRun?.n).toBe(lastCall?.n)
        if (!lastCall) return
        expect(lastRun!.at).toBeLessThanOrEqual(Math.max(lastCall.at + wait, configuredAt))
      }),
      tries(4000),
    )
  })
})

describe.each([
  ['throttle', makeThrottle, ({ wait }: Timing) => wait],
  ['debounce with maxWait', makeDebounce, ({ wait, maxWait }: Timing) => Math.max(wait, maxWait!)],
] as const)('%s', (_, make, limit) => {
  const timing: fc.Arbitrary<Timing> = fc
    .record({ wait: waits, edges, maxWait: fc.constantFrom(0, 20, 30, 150) })
    .map(({ edges, ...rest }) => ({ ...rest, ...edges }))

  it('never runs twice closer than wait, unless flush asks for it', () => {
    fc.assert(
      fc.property(scripts, timing, (script, timing) => {
        const log = play(script, (fn, clock) => make(fn, timing, clock))
        expect(firstRunTooSoon(log, timing.wait)).toBe(undefined)
      }),
      tries(3000),
    )
  })

  it('runs each call, or a newer one, within its limit', () => {
    fc.assert(
      fc.property(flushScripts, timing, (script, timing) => {
        const trailing = { ...timing, trailing: true }
        const log = play(script, (fn, clock) => make(fn, trailing, clock))
        const runs = runsOf(log)
        for (const call of callsOf(log)) {
          const run = runs.find(({ n }) => n >= call.n)
          expect(run?.at).toBeLessThanOrEqual(call.at + limit(trailing))
        }
      }),
      tries(2000),
    )
  })

  it('keeps no call waiting longer than wait after the last one', () => {
    fc.assert(
      fc.property(flushScripts, timing, (script, timing) => {
        const log = play(script, (fn, clock) => make(fn, { ...timing, trailing: true }, clock))
        const lastCall = callsOf(log).at(-1)
        const lastRun = runsOf(log).at(-1)
        expect(lastRun?.n).toBe(lastCall?.n)
        if (lastCall) expect(lastRun!.at - lastCall.at).toBeLessThanOrEqual(timing.wait)
      }),
      tries(2000),
    )
  })
})

it('makes a throttle of a debounce whose maxWait is its wait', () => {
  fc.assert(
    fc.property(scripts, timing, (script, { wait, leading, trailing }) => {
      const options = (clock: Clock): DebounceOptions => ({ leading, trailing, clock })
      expect(play(script, (fn, clock) => throttle(fn, wait, options(clock)))).toEqual(
        play(script, (fn, clock) => debounce(fn, wait, { ...options(clock), maxWait: wait })),
      )
    }),
    tries(500),
  )
})
