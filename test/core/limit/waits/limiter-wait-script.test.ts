import fc from 'fast-check'
import { createWaitingLimiter, type RateLimitError, type Reservation } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { bucketRules, windowRules, type MakeRule } from '../rules/every-rule.ts'
import { WaitingModel, type ModelKind } from './waiting-model.ts'
import { scriptsOf } from '../../../laws/steps.ts'
import { forAllAsync } from '../../../laws/tries.ts'
import { settled } from '../../shared/promises.ts'

const cost = fc.nat({ max: 3 })
const which = fc.nat({ max: 3 })
const bursts = fc.integer({ min: 1, max: 4 })

const scripts = (configures: 0 | 1, books: 0 | 1) =>
  scriptsOf(40, {
    wait: [4, { cost, timeoutMs: fc.constantFrom(Infinity, Infinity, 0.001, 100.001, 250.001) }],
    // Even, so that at no rate a turn falls between two ms while tokens overflow.
    advance: [4, { ms: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 150 })).map((half) => 2 * half) }],
    allow: [2, { cost }],
    abort: [1, { which }],
    reserve: [books, { cost }],
    cancel: [books, { which }],
    // Windows have no rate to change.
    configure: [configures, { rate: fc.constantFrom(10, 20), burst: bursts }],
  })

const kinds: [name: string, make: MakeRule, kind: ModelKind, script: ReturnType<typeof scripts>][] = [
  ...bucketRules.map(([name, make]) => [name, make, 'bucket', scripts(1, 0)] as (typeof kinds)[0]),
  // A log shrunk to fewer entries merges some: the model does not.
  ...windowRules.map(
    ([name, make]) =>
      [name, make, name, scripts(name === 'slidingWindowLog' ? 0 : 1, 1)] as (typeof kinds)[0],
  ),
]

const ended = { why: 'aborted' }

// Each step comes a little after the start of a ms, so that all timers due then have fired.
it.each(kinds)(
  '%s waits, allows, reserves and cancels like a model in ms steps',
  async (_, make, kind, scripts) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    await forAllAsync(60, bursts, scripts, async (burst, script) => {
      const clock = createManualClock()
      const limiter = createWaitingLimiter(make(10, burst), { clock })
      const model = new WaitingModel(kind, burst)
      const ms = (at: number): number => Math.max(Math.ceil(at - 1e-4), 0)
      const went: [id: number, at: number][] = []
      const rejected: [id: number, why: string][] = []
      const right: typeof rejected = []
      const controllers = new Map<number, AbortController>()
      let bookings: { id: number; at: number; cancel: Reservation['cancel'] }[] = []

      for (const [id, step] of script.entries()) {
        await clock.advanceAsync(step.do === 'advance' ? step.ms : 1e-7)
        if (step.do === 'wait') {
          const { cost, timeoutMs } = step
          const controller = new AbortController()
          controllers.set(id, controller)
          limiter.wait(cost, { timeoutMs, signal: controller.signal }).then(
            () => went.push([id, ms(clock.now())]),
            (error: unknown) =>
              rejected.push([id, error === ended ? 'aborted' : (error as RateLimitError).code]),
          )
          if (!model.wait(id, cost, timeoutMs)) right.push([id, 'wait-too-long'])
        } else if (step.do === 'allow') {
          expect(limiter.allow(step.cost)).toBe(model.allow(step.cost))
        } else if (step.do === 'reserve') {
          const { at, ok, cancel } = limiter.reserve(step.cost)
          const turnAt = model.reserve(id, step.cost)
          expect([ms(at), ok]).toEqual([turnAt, turnAt < Infinity])
          if (ok) bookings.push({ id, at: turnAt, cancel })
        } else if (step.do === 'abort') {
          const given = model.line.filter(({ at }) => at === undefined).at(-1 - step.which)
          if (!given) continue
          controllers.get(given.id)!.abort(ended)
          model.leave(given.id)
          right.push([given.id, 'aborted'])
        } else if (step.do === 'cancel') {
          const booked = bookings.at(-1 - step.which)
          booked?.cancel()
          if (!booked || booked.at <= model.now) continue
          model.leave(booked.id)
          bookings = bookings.filter((other) => other !== booked)
        } else if (step.do === 'configure') {
          const { rate, burst } = step
          limiter.configure({ ratePerSecond: rate, burst, capacity: burst, limit: burst })
          for (const refused of model.configure(step)) right.push([refused, 'wait-too-long'])
        } else for (let i = 0; i < step.ms; i++) model.tick()
        await settled()
        expect(limiter.snapshot().waiting).toBe(model.waiting)
        if (model.line.length > model.waiting) expect(limiter.remaining()).toBeLessThanOrEqual(0)
      }
      await clock.advanceAsync(100_000)
      while (model.waiting > 0) model.tick()
      expect([went, rejected, clock.pending]).toEqual([model.went, right, 0])
    })
  },
)
