import fc from 'fast-check'
import { createWaitingLimiter, type WaitingLimiter, type RateLimitError, type Reservation } from 'lull/core'
import { createManualClock, type ManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { bucketRules, windowRules, type MakeRule } from '../rules/every-rule.ts'
import { WaitingModel, type ModelKind, type ModelChanges } from './waiting-model.ts'
import { anyOf, type Weighted } from '../../../laws/steps.ts'
import { tries } from '../../../laws/tries.ts'
import { settled } from '../../shared/promises.ts'

/** A step on a limiter or its clock. */
type Step =
  | { do: 'wait'; cost: number; timeoutMs: number }
  | { do: 'allow'; cost: number }
  | { do: 'reserve'; cost: number }
  | { do: 'abort'; which: number }
  | { do: 'cancel'; which: number }
  | { do: 'advance'; ms: number }
  | ({ do: 'configure' } & ModelChanges)

const cost = fc.nat({ max: 3 })
const which = fc.nat({ max: 3 })
const burst = fc.integer({ min: 1, max: 4 })
const configureBucket = { configure: [1, { rate: fc.constantFrom(10, 20), burst }] } as const
const configureWindow = { configure: [1, { burst }] } as const
const book = { reserve: [1, { cost }], cancel: [1, { which }] } as const

const scripts = (rare: Weighted): fc.Arbitrary<Step[]> =>
  fc.array(
    anyOf({
      wait: [4, { cost, timeoutMs: fc.constantFrom(Infinity, Infinity, 0.001, 100.001, 250.001) }],
      // Even, so that at no rate a turn falls between two ms while tokens overflow.
      advance: [4, { ms: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 150 })).map((half) => 2 * half) }],
      allow: [2, { cost }],
      abort: [1, { which }],
      ...rare,
    }) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>,
    { maxLength: 40, size: 'max' },
  )

/** The outcome of each wait and each decision, with instants rounded down to ms. */
interface Played {
  went: [id: number, at: number][]
  rejected: [id: number, why: string][]
  results: (boolean | number)[]
  waiting: number[]
}

const ended = { why: 'aborted' }

/**
 * Runs `script` on a limiter. Each step comes a little after the start of a ms, so that all timers due then
 * have fired.
 */
async function play(limiter: WaitingLimiter, clock: ManualClock, script: readonly Step[]): Promise<Played> {
  const played: Played = { went: [], rejected: [], results: [], waiting: [] }
  const controllers = new Map<number, AbortController>()
  let reservations: Reservation[] = []
  const ms = (at: number): number => Math.max(Math.ceil(at - 1e-4), 0)
  for (const [id, step] of script.entries()) {
    await clock.advanceAsync(step.do === 'advance' ? step.ms : 1e-7)
    if (step.do === 'wait') {
      const controller = new AbortController()
      controllers.set(id, controller)
      limiter.wait(step.cost, { timeoutMs: step.timeoutMs, signal: controller.signal }).then(
        () => {
          played.went.push([id, ms(clock.now())])
          controllers.delete(id)
        },
        (error: unknown) => {
          played.rejected.push([id, error === ended ? 'aborted' : (error as RateLimitError).code])
          controllers.delete(id)
        },
      )
    } else if (step.do === 'allow') {
      played.results.push(limiter.allow(step.cost))
    } else if (step.do === 'reserve') {
      const reservation = limiter.reserve(step.cost)
      played.results.push(ms(reservation.at))
      if (reservation.ok) reservations.push(reservation)
    } else if (step.do === 'abort') {
      ;[...controllers.values()].at(-1 - step.which)?.abort(ended)
    } else if (step.do === 'cancel') {
      const booked = reservations.at(-1 - step.which)
      booked?.cancel()
      if (booked && booked.at > clock.now()) reservations = reservations.filter((other) => other !== booked)
    } else if (step.do === 'configure') {
      const { rate, burst } = step
      limiter.configure({ ratePerSecond: rate, burst, capacity: burst, limit: burst })
    }
    await settled()
    played.waiting.push(limiter.snapshot().waiting)
  }
  await clock.advanceAsync(100_000)
  expect(clock.pending).toBe(0)
  return played
}

/** The outcomes in the model. */
function expected(model: WaitingModel, script: readonly Step[]): Played {
  const played: Played = { went: model.went, rejected: [], results: [], waiting: [] }
  let bookings: { id: number; at: number }[] = []
  for (const [id, step] of script.entries()) {
    if (step.do === 'wait') {
      if (!model.wait(id, step.cost, step.timeoutMs)) played.rejected.push([id, 'wait-too-long'])
    } else if (step.do === 'allow') played.results.push(model.allow(step.cost))
    else if (step.do === 'reserve') {
      const at = model.reserve(id, step.cost)
      played.results.push(at)
      if (at < Infinity) bookings.push({ id, at })
    } else if (step.do === 'abort') {
      const given = model.line.filter(({ at }) => at === undefined).at(-1 - step.which)
      if (given) {
        model.leave(given.id)
        played.rejected.push([given.id, 'aborted'])
      }
    } else if (step.do === 'cancel') {
      const booked = bookings.at(-1 - step.which)
      if (booked && booked.at > model.now) {
        model.leave(booked.id)
        bookings = bookings.filter((other) => other !== booked)
      }
    } else if (step.do === 'configure') {
      for (const rejected of model.configure(step)) played.rejected.push([rejected, 'wait-too-long'])
    } else for (let i = 0; i < step.ms; i++) model.tick()
    played.waiting.push(model.waiting)
  }
  while (model.waiting > 0) model.tick()
  return played
}

const scriptsOf: Record<ModelKind, fc.Arbitrary<Step[]>> = {
  bucket: scripts(configureBucket),
  fixedWindow: scripts({ ...configureWindow, ...book }),
  // A log shrunk to fewer entries merges some: the model does not.
  slidingWindowLog: scripts(book),
  slidingWindowCounter: scripts({ ...configureWindow, ...book }),
}

const kinds: [name: string, make: MakeRule, kind: ModelKind][] = [
  ...bucketRules.map(([name, make]) => [name, make, 'bucket'] as [string, MakeRule, ModelKind]),
  ...windowRules.map(([name, make]) => [name, make, name] as [string, MakeRule, ModelKind]),
]

it.each(kinds)('%s waits, allows, reserves and cancels like a model in ms steps', async (_, make, kind) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), scriptsOf[kind], async (burst, script) => {
      const clock = createManualClock()
      const limiter = createWaitingLimiter(make(10, burst), { clock })
      expect(await play(limiter, clock, script)).toEqual(
        expected(new WaitingModel(kind, 10, burst, burst * 100), script),
      )
    }),
    tries(60),
  )
})
