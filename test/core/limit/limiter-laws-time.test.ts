import fc from 'fast-check'
import { createKeyedLimiter, createWaitingLimiter, slidingWindowLog } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import {
  bucketRules,
  bursts,
  byClockOrAt,
  createAsked,
  everyRule,
  gaps,
  mostBeyondEnvelope,
  mostInWindow,
  numbers,
  rates,
  readings,
  type Asked,
  type Pass,
} from './every-rule.ts'
import { tries } from '../../laws/tries.ts'

/** How far the clock is set back, in multiples of 1 / rate. */
const steps = fc.oneof(fc.constantFrom(1, 1e-3, 1000), numbers(0, 50))

describe.each(everyRule)('%s', (name, make) => {
  it('keeps its level when the clock steps back, and gives nothing', () => {
    const parts = numbers(0, 1)
    fc.assert(
      fc.property(
        rates,
        bursts,
        readings,
        byClockOrAt,
        parts,
        steps,
        (rate, burst, startAt, by, part, step) => {
          const asked = createAsked(make(rate, burst), startAt, by)
          const { limiter } = asked
          const levels: number[] = []
          const note = (): unknown => levels.push(limiter.remaining(asked.at()))
          limiter.allow(burst * part, asked.at())
          note()
          asked.now -= (step * 1000) / rate
          note()
          const isMoreAllowed = limiter.allow(levels[0]! + 1e-3, asked.at())
          note()
          expect(isMoreAllowed).toBe(false)
          expect(levels).toEqual([levels[0], levels[0], levels[0]])
          expect(limiter.allow(Math.max(levels[0]! - 1e-3, 0), asked.at())).toBe(true)
        },
      ),
      tries(200),
    )
  })

  it('freezes nothing: after a step back, it says at most what it said before, and that suffices', () => {
    const verbs = fc.constantFrom('decide' as const, 'reserve' as const)
    fc.assert(
      fc.property(
        rates,
        bursts,
        readings,
        byClockOrAt,
        steps,
        verbs,
        (rate, burst, startAt, by, step, verb) => {
          const asked = createAsked(make(rate, burst), startAt, by)
          const { limiter } = asked
          limiter.allow(Math.floor(burst), asked.at())
          const before = limiter.peek(1, asked.at()).retryAfterMs
          // Its windows do not go back with the clock: a whole one may lie ahead.
          const mostMs = name === 'fixedWindow' ? (burst * 1000) / rate : before
          asked.now -= (step * 1000) / rate
          const roundingMs = (startAt + mostMs + Math.abs(asked.now)) * 2 ** -50
          const peekMs = limiter.peek(1, asked.at()).retryAfterMs
          const waitMs =
            verb === 'decide'
              ? limiter.decide(1, asked.at()).retryAfterMs
              : limiter.reserve(1, asked.at()).delay(asked.now)
          expect(waitMs).toBeLessThanOrEqual(mostMs * (1 + 1e-9) + roundingMs)
          expect(Math.abs(waitMs - peekMs)).toBeLessThanOrEqual(roundingMs)
          asked.now += waitMs
          if (verb === 'decide' && waitMs > 0) expect(limiter.allow(1, asked.at())).toBe(true)
        },
      ),
      tries(200),
    )
  })

  it('has its burst, and no more, after a long idle time', () => {
    fc.assert(
      fc.property(
        rates,
        bursts,
        readings,
        byClockOrAt,
        numbers(2.5, 1e6),
        (rate, burst, startAt, by, idle) => {
          const asked = createAsked(make(rate, burst), startAt, by)
          asked.limiter.allow(burst, asked.at())
          asked.now += (idle * burst * 1000) / rate
          expect(asked.limiter.remaining(asked.at())).toBe(burst)
          expect(asked.limiter.allow(burst, asked.at())).toBe(true)
          expect(asked.limiter.allow(1, asked.at())).toBe(false)
        },
      ),
      tries(200),
    )
  })

  it('is set back an hour in the life of a limit of three a second', () => {
    const hour = 3_600_000
    const limiter = createWaitingLimiter(make(3, 3), { clock: createManualClock() })
    const keyed = createKeyedLimiter(make(3, 3), { clock: createManualClock() })
    for (const ask of [limiter.decide, (cost: number, at: number) => keyed.decide('key', cost, at)]) {
      expect(ask(3, hour)).toMatchObject({ allowed: true, remaining: 0 })
      expect(ask(1, 0)).toMatchObject({ allowed: false, remaining: 0 })
      const { retryAfterMs } = ask(3, 0)
      expect(retryAfterMs).toBeLessThanOrEqual(2000)
      expect(ask(3, retryAfterMs)).toMatchObject({ allowed: true, remaining: 0 })
    }
  })
})

/** What passes while the clock goes back and forth, at the instants of a clock that stands still when it goes back. */
function passesInForwardTime(
  { limiter, ...asked }: Asked,
  periodMs: number,
  script: readonly { gap: number; isBack: boolean }[],
): Pass[] {
  const passes: Pass[] = []
  let forward = 0
  for (const { gap, isBack } of script) {
    const ms = gap * periodMs
    asked.now += isBack ? -ms : ms
    if (!isBack) forward += ms
    if (limiter.allow(1, asked.now)) passes.push({ at: forward, cost: 1 })
  }
  return passes
}

const backAndForth = fc.array(fc.record({ gap: gaps, isBack: fc.boolean() }), { maxLength: 60, size: 'max' })

it.each(bucketRules)('%s keeps to its rate, however often the clock steps back', (_, make) => {
  fc.assert(
    fc.property(bursts, numbers(1e5, 1e6), backAndForth, (burst, startAt, script) => {
      const passes = passesInForwardTime(createAsked(make(7, burst), startAt, 'at'), 1000 / 7, script)
      expect(mostBeyondEnvelope(passes, 7, burst)).toBeLessThanOrEqual(1e-6)
    }),
    tries(500),
  )
})

it('slidingWindowLog keeps to its limit, however often the clock steps back', () => {
  fc.assert(
    fc.property(bursts, numbers(1e5, 1e6), backAndForth, (limit, startAt, script) => {
      const asked = createAsked(slidingWindowLog({ limit, windowMs: 1000 }), startAt, 'at')
      // The sums of forward time are rounded otherwise than the differences of the clock's.
      expect(mostInWindow(passesInForwardTime(asked, 200, script), 1000 - 1e-6)).toBeLessThanOrEqual(limit)
    }),
    tries(500),
  )
})
