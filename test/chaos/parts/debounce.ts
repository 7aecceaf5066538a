import fc from 'fast-check'
import { debounce, throttle, type DebounceChanges, type Debounced } from 'lull/core'
import { createHeldModel, type Call, type HeldModel, type Timing } from '../held-model.ts'
import { definePart, verb, type ChaosPart } from '../part.ts'

type Plan = Pick<Call, 'inside' | 'throws'>
type Step = ({ do: 'call' } & Plan) | { do: 'flush' | 'cancel' | 'dispose' | 'abort' } | ConfigureStep
type ConfigureStep = { do: 'configure' } & DebounceChanges
type Fn = (this: { n: number }, call: Call) => number
type Options = Timing & { hasOnError: boolean }

export const waits = fc.constantFrom(0, 1, 20, 20, 100, 100, 250.5)
export const maxWaits = fc.constantFrom(Infinity, 0, 30, 150)
const edge = fc.option(fc.boolean(), { nil: undefined })

/** The same, and what a run does itself. */
export const plan: fc.Arbitrary<Plan> = fc.record({
  inside: fc.oneof(
    { weight: 12, arbitrary: fc.constant('nothing' as const) },
    { weight: 3, arbitrary: fc.constantFrom('call' as const, 'flush' as const, 'cancel' as const) },
    { weight: 1, arbitrary: fc.constantFrom('configure' as const, 'dispose' as const) },
  ),
  throws: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
})

export const configuring: fc.Arbitrary<ConfigureStep> = fc.record({
  do: fc.constant('configure' as const),
  wait: fc.option(waits, { nil: undefined }),
  maxWait: fc.option(maxWaits, { nil: undefined }),
  leading: edge,
  trailing: edge,
})

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 24,
    arbitrary: fc
      .record({ do: fc.constant('call' as const) })
      .chain((call) => plan.map((rest) => ({ ...call, ...rest }))),
  },
  { weight: 3, arbitrary: verb('flush', 'cancel') },
  { weight: 3, arbitrary: configuring },
  { weight: 1, arbitrary: verb('dispose', 'abort') },
)

/** Some edge is on, so that it is not the end of a long life. */
export const WAKING: DebounceChanges = { trailing: true }

const timing = {
  wait: waits,
  leading: fc.boolean(),
  trailing: fc.boolean(),
  hasOnError: fc.boolean(),
}

function define(name: string, kind: 'debounce' | 'throttle', options: fc.Arbitrary<Options>): ChaosPart {
  return definePart<Options, Step>({
    name,
    options,
    step,
    isSync: true,
    begin(world, { hasOnError, ...options }, isLong) {
      const { clock, claim, hear } = world
      const changed: Timing = { ...options }
      let held: Debounced<Fn>
      let model: HeldModel
      let controller: AbortController
      let calls = 0
      let result: number | undefined
      let told = false

      function fn(this: { n: number }, call: Call): number {
        claim(this.n === call.n, 'ran with another this', this.n, call.n)
        const isByTimer = depth === 0
        model.running(call, () => {
          depth++
          if (call.inside !== 'nothing') act(insideOf(call))
          depth--
        })
        if (call.throws) {
          const error = new Error(`of call ${call.n}`)
          if (isByTimer) world.expectError(error)
          throw error
        }
        return (result = call.n)
      }
      // Of what we have called and not returned from.
      let depth = 0

      const insideOf = ({ inside }: Call): Step =>
        inside === 'call'
          ? { do: 'call', inside: 'nothing', throws: false }
          : inside === 'configure'
            ? { do: 'configure', wait: 20 }
            : { do: inside as 'flush' | 'cancel' | 'dispose' }

      /** Calls what may throw what a run throws. */
      function attempt(make: () => number | undefined): void {
        depth++
        try {
          const answer = make()
          claim(answer === result, 'answered', answer, result)
        } catch (error) {
          claim((error as Error).message.startsWith('of call '), 'threw', error)
        }
        depth--
      }

      function make(): void {
        Object.assign(changed, options)
        if (kind === 'throttle') changed.maxWait = changed.wait
        controller = new AbortController()
        model = createHeldModel(world, () => changed)
        result = undefined
        told = false
        const { signal } = controller
        const onError = hasOnError ? hear : undefined
        const { maxWait, wait, leading, trailing } = changed
        held =
          kind === 'throttle'
            ? throttle(fn, wait, { leading, trailing, signal, onError, clock })
            : debounce(fn, wait, { leading, trailing, maxWait, signal, onError, clock })
        held.subscribe(() => {
          claim(told !== held.isPending(), 'told of no change')
          told = held.isPending()
        })
      }

      function configure(changes: DebounceChanges): void {
        const { wait = changed.wait, maxWait = changed.maxWait } = changes
        const { leading = changed.leading, trailing = changed.trailing } = changes
        Object.assign(changed, { wait, leading, trailing, maxWait: kind === 'throttle' ? wait : maxWait })
        held.configure(changes)
      }

      function act(step: Step): void {
        if (step.do === 'call') {
          const call: Call = { n: ++calls, hasRun: false, inside: step.inside, throws: step.throws }
          model.calling(call, () => attempt(() => held.call({ n: call.n }, call)))
        } else if (step.do === 'flush') {
          model.flushing(() => attempt(() => held.flush()))
        } else if (step.do === 'configure') {
          configure(step)
        } else if (step.do === 'abort') {
          if (isLong) return
          controller.abort()
          model.reset()
          held.call({ n: 0 }, { n: 0, hasRun: true, inside: 'nothing', throws: false })
          attempt(() => held.flush())
          claim(!held.isPending(), 'is pending after the abort')
          make()
        } else {
          model.reset()
          if (step.do === 'cancel') held.cancel()
          else {
            held[Symbol.dispose]()
            Object.assign(changed, { leading: false, trailing: false })
            if (depth > 0 || isLong) configure(WAKING)
          }
        }
      }

      make()
      return {
        act,
        check() {
          model.check(held.isPending())
          claim(told === held.isPending(), 'did not tell of a change')
          claim(clock.pending <= 1, 'has several timers')
        },
        end: () => configure({ wait: 20 }),
      }
    },
  })
}

export const debounces: ChaosPart[] = [
  define('debounce', 'debounce', fc.record({ ...timing, maxWait: fc.constant(Infinity) })),
  define('debounce with maxWait', 'debounce', fc.record({ ...timing, maxWait: maxWaits })),
  define('throttle', 'throttle', fc.record({ ...timing, maxWait: fc.constant(0) })),
]
