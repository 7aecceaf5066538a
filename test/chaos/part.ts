import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { createRandom } from '../field/random.ts'
import { createChaosClock, type ChaosClock } from './chaos-clock.ts'

/** What a life goes on in. */
export interface World {
  readonly clock: ChaosClock
  /** Notes that something is wrong, also where nobody hears of an error; the step then fails. */
  claim: (isSo: boolean, what: string, ...details: unknown[]) => void
  /** `error` is to surface by the end of this step: from a timer, or as `hear` is told. All of them, in this order, and no other. */
  expectError: (error: unknown) => void
  hear: (error: unknown) => void
}

/** One instance, a model of it, and what is done to them. */
interface Life<Step> {
  act: (step: Step) => void
  /** Whether all is as the model has it: after each step, and after all promise continuations. */
  check: () => void
  /** What is to become of it in the end: then time passes, and `check` follows. */
  end: () => void
  /** Takes down what stands when all is checked. */
  close?: () => void
}

interface PartDefinition<Options, Step> {
  name: string
  options: fc.Arbitrary<Options>
  /** None of them is named as a step of time is. */
  step: fc.Arbitrary<Step>
  /** Without promises it need not wait for their continuations. @default false */
  isSync?: boolean
  /** Whether the clock may be set forward and back. @default true */
  jumps?: boolean
  /** What is done where time passes, and where promises go on: React's `act`, for a component. @default nothing */
  around?: (act: () => void | Promise<void>) => void | Promise<void>
  /** How many of the steps it takes, where 1 is its share: fewer where each costs much. @default 1 */
  weight?: number
  /** @param isLong whether it is one life of very many steps, which is to be one instance. */
  begin: (world: World, options: Options, isLong: boolean) => Life<Step>
}

/** A kind of part: what is tried, in the core or of a component, `begin` makes. */
export interface TrialPart<Options, Begin> extends Pick<
  PartDefinition<Options, never>,
  'name' | 'options' | 'around' | 'weight'
> {
  begin: Begin
}

/** A stateful part of the library, and the ways to try it. */
export interface ChaosPart {
  name: string
  weight: number
  /** Many lives of some steps, each of an instance of its own: what fails is made small. Answers how many steps it took. */
  tryShort: (lives: number, seed: number) => Promise<number>
  /** One life of so many steps; awaits `atQuarter` when a quarter of them has passed, two, three and all. */
  tryLong: (steps: number, seed: number, atQuarter: () => void) => Promise<number>
}

type TimeStep =
  | { do: 'pass'; ms: number }
  | { do: 'block' | 'jump' | 'jumpWall'; ms: number }
  | { do: 'hide'; gridMs: number }

const isTime = (step: { do: string }): step is TimeStep =>
  ['pass', 'block', 'jump', 'jumpWall', 'hide'].includes(step.do)

/** Times are eighths of a ms, see the clock. */
const ms = (max: number): fc.Arbitrary<number> => fc.nat({ max: max * 8 }).map((n) => n / 8)

type Members = Record<string, fc.Arbitrary<unknown>>

/** Steps by the names of what they do: each as often as it weighs, with these members. */
export const steps = <Step>(
  weighted: Record<string, number | [weight: number, members: Members]>,
): fc.Arbitrary<Step> =>
  fc.oneof(
    ...Object.entries(weighted).map(([names, given]) => {
      const [weight, members] = typeof given === 'number' ? [given, {}] : given
      return { weight, arbitrary: fc.record({ do: fc.constantFrom(...names.split(' ')), ...members }) }
    }),
  ) as fc.Arbitrary<Step>

/** A value, or that it stays as it is. */
export const orNot = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(values, { nil: undefined })

const jumps = fc.constantFrom(-100_000, -500, -40, -1.5, -0.5, 0.5, 20, 300, 3600_000)

const passing = fc.oneof(
  { weight: 12, arbitrary: ms(40) },
  { weight: 5, arbitrary: ms(400) },
  { weight: 2, arbitrary: ms(10_000) },
)
const time = (canJump: boolean): fc.Arbitrary<TimeStep> =>
  steps({
    pass: [19, { ms: passing }],
    block: [3, { ms: ms(300) }],
    hide: [1, { gridMs: fc.constantFrom(0, 0, 0, 1000, 60_000) }],
    'jump jumpWall': [canJump ? 2 : 0, { ms: jumps }],
  })

/** Long enough for whatever was begun, with every timer late. */
const REST_MS = 2 ** 24

export function definePart<Options, Step extends { do: string }>({
  name,
  options,
  step,
  isSync = false,
  jumps = true,
  around = (act) => act(),
  weight = 1,
  begin,
}: PartDefinition<Options, Step>): ChaosPart {
  const anyStep: fc.Arbitrary<TimeStep | Step> = fc.oneof(
    { weight: 1, arbitrary: step },
    { weight: 1, arbitrary: time(jumps) },
  )
  const rest = async (): Promise<void> => {
    if (!isSync) await around(() => setImmediate())
  }

  function beginLife(options: Options, seed: number, isLong: boolean) {
    const clock = createChaosClock(createRandom(seed))
    const wrong: string[] = []
    const claim: World['claim'] = (isSo, what, ...details) => {
      if (!isSo) wrong.push(`${what} ${details.map((detail) => String(detail)).join(' ')}`.trim())
    }
    let expected: unknown[] = []
    let heard: unknown[] = []
    const world: World = {
      clock,
      claim,
      expectError: (error) => expected.push(error),
      hear: (error) => heard.push(error),
    }
    const life = begin(world, options, isLong)

    function checkErrors(): void {
      const errors = [...heard, ...clock.takeErrors()]
      const isRight = errors.length === expected.length && errors.every((error, i) => error === expected[i])
      claim(isRight, 'errors surfaced:', errors.join(), 'where these should:', expected.join())
      expected = []
      heard = []
    }

    async function pass(ms: number): Promise<void> {
      const steps = clock.pass(ms)
      let last: { done?: boolean | undefined } = {}
      const goOn = (): void => {
        last = steps.next()
      }
      await around(goOn)
      while (!last.done) {
        await rest()
        await around(goOn)
      }
    }

    async function check(after: TimeStep | Step | 'the end'): Promise<void> {
      await rest()
      life.check()
      checkErrors()
      if (wrong.length > 0) throw new Error(`${wrong.join('; ')}: after ${JSON.stringify(after)}`)
    }

    async function go(one: TimeStep | Step): Promise<void> {
      if (!isTime(one)) life.act(one)
      else if (one.do === 'hide') clock.hide(one.gridMs)
      else if (one.do === 'pass') await pass(one.ms)
      else clock[one.do](one.ms)
      await check(one)
    }

    async function end(): Promise<void> {
      clock.hide(0)
      life.end()
      await rest()
      await pass(REST_MS)
      await check('the end')
      life.close?.()
      claim(clock.pending === 0, 'something is left on the clock', clock.pending)
      await check('the end')
    }

    return { go, end }
  }

  return {
    name,
    weight,
    async tryShort(lives, seed) {
      let taken = 0
      const scripts = fc.array(anyStep, { maxLength: 60, size: 'max' })
      await fc.assert(
        fc.asyncProperty(options, fc.nat(), scripts, async (options, seed, script) => {
          const life = beginLife(options, seed, false)
          for (const one of script) await life.go(one)
          await life.end()
          taken += script.length
        }),
        { numRuns: lives, seed },
      )
      return taken
    },
    async tryLong(steps, seed, atQuarter) {
      const [first] = fc.sample(options, { numRuns: 1, seed })
      const life = beginLife(first!, seed, true)
      for (let quarter = 0, taken = 0; quarter < 4; quarter++) {
        for (const end = ((quarter + 1) * steps) / 4; taken < end;) {
          for (const one of fc.sample(anyStep, { numRuns: 500, seed: seed + taken })) await life.go(one)
          taken += 500
        }
        atQuarter()
      }
      await life.end()
      return steps
    },
  }
}
