import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { createRandom } from '../field/random.ts'
import { anyOf, type Of } from '../laws/steps.ts'
import { createChaosClock, type ChaosClock } from './chaos-clock.ts'

/** The clock and the checks of one instance. */
export interface World {
  readonly clock: ChaosClock
  /** Records a failed check, so that the step fails even where an error is swallowed. */
  claim: (isSo: boolean, what: string, ...details: unknown[]) => void
  /** Expects `error` by the end of this step, from a timer or by `hear`. Order and number must match. */
  expectError: (error: unknown) => void
  hear: (error: unknown) => void
}

/** One instance and its model. */
interface Trial<Step> {
  act: (step: Step) => void
  /** Compares the instance with the model, after each step and its promise continuations. */
  check: () => void
  /** Ends what is pending, whose memory would look like a leak. */
  idle?: () => void
  /** Ends the instance; then time passes and `check` runs. */
  end: () => void
}

interface PartDefinition<Options, Step> {
  name: string
  options: fc.Arbitrary<Options>
  /** Their names must differ from those of the time steps. */
  step: fc.Arbitrary<Step>
  /** Uses no promises, so that no continuations need to be awaited. @default false */
  isSync?: boolean
  /** Its share of the steps relative to other parts: less if a step is slow. @default 1 */
  weight?: number
  begin: (world: World, options: Options) => Trial<Step>
}

/** A stateful part of the library, and the ways to try it. */
export interface ChaosPart {
  name: string
  weight: number
  /** Runs short scripts, each on a new instance, and shrinks failures. Returns the number of steps. */
  tryShort: (instances: number, seed: number) => Promise<number>
  /** Runs `steps` steps on one instance; calls `atQuarter` after each quarter of them. Returns `steps`. */
  tryLong: (steps: number, seed: number, atQuarter: () => Promise<unknown>) => Promise<number>
}

type TimeStep = Of<typeof time>

const isTime = (step: { do: string }): step is TimeStep =>
  ['pass', 'block', 'jump', 'jumpWall', 'hide'].includes(step.do)

/** Times in eighths of a ms, see the clock. */
const ms = (max: number): fc.Arbitrary<number> => fc.nat({ max: max * 8 }).map((n) => n / 8)

const jumps = fc.constantFrom(-100_000, -500, -40, -1.5, -0.5, 0.5, 20, 300, 3600_000)

const passing = fc.oneof(
  { weight: 12, arbitrary: ms(40) },
  { weight: 5, arbitrary: ms(400) },
  { weight: 2, arbitrary: ms(10_000) },
)
const time = anyOf({
  pass: [19, { ms: passing }],
  block: [3, { ms: ms(300) }],
  hide: [1, { gridMs: fc.constantFrom(0, 0, 0, 1000, 60_000) }],
  'jump jumpWall': [2, { ms: jumps }],
})

/** Long enough for every timer, even if all are late. */
const REST_MS = 2 ** 24

export function definePart<Options, Step extends { do: string }>({
  name,
  options,
  step,
  isSync = false,
  weight = 1,
  begin,
}: PartDefinition<Options, Step>): ChaosPart {
  const anyStep: fc.Arbitrary<TimeStep | Step> = fc.oneof(
    { weight: 1, arbitrary: step },
    { weight: 1, arbitrary: time },
  )
  const rest = async (): Promise<void> => {
    if (!isSync) await setImmediate()
  }

  function beginTrial(options: Options, seed: number) {
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
    const trial = begin(world, options)

    function checkErrors(): void {
      const errors = [...heard, ...clock.takeErrors()]
      const isRight = errors.length === expected.length && errors.every((error, i) => error === expected[i])
      claim(isRight, 'errors surfaced:', errors.join(), 'instead of:', expected.join())
      expected = []
      heard = []
    }

    async function pass(ms: number): Promise<void> {
      const steps = clock.pass(ms)
      while (!steps.next().done) await rest()
    }

    async function check(after: TimeStep | Step | 'a quarter' | 'the end'): Promise<void> {
      await rest()
      trial.check()
      checkErrors()
      if (wrong.length > 0) throw new Error(`${wrong.join('; ')}: after ${JSON.stringify(after)}`)
    }

    async function go(one: TimeStep | Step): Promise<void> {
      if (!isTime(one)) trial.act(one)
      else if (one.do === 'hide') clock.hide(one.gridMs)
      else if (one.do === 'pass') await pass(one.ms)
      else clock[one.do](one.ms)
      await check(one)
    }

    async function idle(): Promise<void> {
      trial.idle?.()
      await check('a quarter')
    }

    async function end(): Promise<void> {
      clock.hide(0)
      trial.end()
      await rest()
      await pass(REST_MS)
      claim(clock.pending === 0, 'left timers on the clock:', clock.pending)
      await check('the end')
    }

    return { go, idle, end }
  }

  return {
    name,
    weight,
    async tryShort(instances, seed) {
      let taken = 0
      const scripts = fc.array(anyStep, { maxLength: 60, size: 'max' })
      await fc.assert(
        fc.asyncProperty(options, fc.nat(), scripts, async (options, seed, script) => {
          const trial = beginTrial(options, seed)
          for (const one of script) await trial.go(one)
          await trial.end()
          taken += script.length
        }),
        { numRuns: instances, seed },
      )
      return taken
    },
    async tryLong(steps, seed, atQuarter) {
      const [first] = fc.sample(options, { numRuns: 1, seed })
      const trial = beginTrial(first!, seed)
      for (let quarter = 0, taken = 0; quarter < 4; quarter++) {
        for (const end = ((quarter + 1) * steps) / 4; taken < end;) {
          for (const one of fc.sample(anyStep, { numRuns: 500, seed: seed + taken })) await trial.go(one)
          taken += 500
        }
        await trial.idle()
        await atQuarter()
      }
      await trial.end()
      return steps
    },
  }
}
