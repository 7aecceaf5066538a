import fc from 'fast-check'
import { createWaitingLimiter } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { bucketRules, mostBeyondEnvelope, windowRules, type MakeRule } from './every-rule.ts'
import { WaitingModel, type ModelKind } from './waiting-model.ts'
import {
  cancel,
  configureBucket,
  configureWindow,
  play,
  reserve,
  scripts,
  type Played,
  type Step,
} from './waiting-scripts.ts'
import { tries } from '../../laws/tries.ts'

/** What the model has become of it. */
function expected(model: WaitingModel, script: readonly Step[]): Played {
  const played: Played = { went: model.went, rejected: [], answers: [], waiting: [] }
  let bookings: { id: number; at: number }[] = []
  for (const [id, step] of script.entries()) {
    if (step.do === 'wait') {
      if (!model.wait(id, step.cost, step.timeoutMs)) played.rejected.push([id, 'wait-too-long'])
    } else if (step.do === 'allow') played.answers.push(model.allow(step.cost))
    else if (step.do === 'reserve') {
      const at = model.reserve(id, step.cost)
      played.answers.push(at)
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
  fixedWindow: scripts(configureWindow, reserve, cancel),
  // A log for fewer entries keeps some of those it has as one: the model does not.
  slidingWindowLog: scripts(reserve, cancel),
  slidingWindowCounter: scripts(configureWindow, reserve, cancel),
}

const kinds: [name: string, make: MakeRule, kind: ModelKind][] = [
  ...bucketRules.map(([name, make]) => [name, make, 'bucket'] as [string, MakeRule, ModelKind]),
  ...windowRules.map(([name, make]) => [name, make, name] as [string, MakeRule, ModelKind]),
]

it.each(kinds)(
  '%s serves who waits, asks, books and gives up as a model that counts the ms does',
  async (_, make, kind) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), scriptsOf[kind], async (burst, script) => {
        const clock = createManualClock()
        const limiter = createWaitingLimiter(make(10, burst), { clock })
        const { passes, ...played } = await play(limiter, clock, script)
        expect(passes.length).toBeGreaterThanOrEqual(played.went.length)
        expect(played).toEqual(expected(new WaitingModel(kind, 10, burst, burst * 100), script))
      }),
      tries(60),
    )
  },
)

describe.each(bucketRules)('%s, with bookings among those who wait', (_, make) => {
  it('lets at most rate · L + burst pass, in the order of those who wait, and every wait ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), scripts(reserve), async (burst, script) => {
        const clock = createManualClock()
        const limiter = createWaitingLimiter(make(10, burst), { clock })
        const { passes, went, rejected } = await play(limiter, clock, script)
        expect(mostBeyondEnvelope(passes, 10, burst)).toBeLessThanOrEqual(1e-6)
        const ids = went.map(([id]) => id)
        expect(ids).toEqual(ids.toSorted((a, b) => a - b))
        const waits = script.filter((step) => step.do === 'wait')
        expect(went.length + rejected.length).toBe(waits.length)
      }),
      tries(60),
    )
  })
})
