import fc from 'fast-check'
import { debounce, throttle, type DebounceChanges, type Debounced } from 'lull/core'
import { createHeldModel, type Call, type HeldModel, type Timing } from './held-model.ts'
import { anyOf, type Of, orNot } from '../../laws/steps.ts'
import { definePart, type ChaosPart } from '../part.ts'

type DebouncedFn = (this: { n: number }, call: Call) => number

export const waits = fc.constantFrom(0, 1, 20, 20, 100, 100, 250.5)
const maxWaits = fc.constantFrom(Infinity, 0, 30, 150)
export const timings = { wait: waits, leading: fc.boolean(), trailing: fc.boolean() }

const nothing = fc.constant('nothing' as const)

const step = anyOf({
  // `inside`: what the run itself does.
  call: [
    24,
    {
      inside: fc.oneof(
        { weight: 12, arbitrary: nothing },
        { weight: 3, arbitrary: fc.constantFrom('call', 'flush', 'cancel') },
        { weight: 1, arbitrary: fc.constantFrom('configure', 'dispose') },
      ),
      throws: fc.constantFrom(false, false, false, false, false, true),
    },
  ],
  'flush cancel': 3,
  configure: [
    3,
    {
      wait: orNot(waits),
      maxWait: orNot(maxWaits),
      leading: orNot(fc.boolean()),
      trailing: orNot(fc.boolean()),
    },
  ],
  'dispose abort': 1,
})

type Step = Of<typeof step> | ({ do: 'configure' } & DebounceChanges)

/** Turns an edge on, so that a long run continues after a dispose. */
const REVIVAL: DebounceChanges = { trailing: true }

function define(name: string, kind: 'debounce' | 'throttle', maxWait: fc.Arbitrary<number>): ChaosPart {
  return definePart({
    name,
    options: fc.record({ ...timings, hasOnError: fc.boolean(), maxWait }),
    step,
    isSync: true,
    begin(world, options, isLong) {
      const { clock, claim } = world
      const changed: Timing = { ...options }
      let controller: AbortController
      let held: Debounced<DebouncedFn>
      let model: HeldModel
      let calls = 0
      let result: number | undefined
      let notified = false

      function fn(this: { n: number }, call: Call): number {
        claim(this.n === call.n, 'ran with another this', this.n, call.n)
        const isByTimer = depth === 0
        model.running(call, () => {
          depth++
          if (call.inside !== 'nothing') actInside(call.inside)
          depth--
        })
        if (call.throws) {
          const error = new Error(`of call ${call.n}`)
          if (isByTimer) world.expectError(error)
          throw error
        }
        return (result = call.n)
      }
      // The number of our calls on the stack.
      let depth = 0

      function actInside(inside: Exclude<Call['inside'], 'nothing'>): void {
        if (inside === 'call') act({ do: 'call', inside: 'nothing', throws: false })
        else act(inside === 'configure' ? { do: 'configure', wait: 20 } : { do: inside })
      }

      /** Calls `make`, which may throw the error of a run. */
      function attempt(make: () => number | undefined): void {
        depth++
        try {
          const returned = make()
          claim(returned === result, 'returned', returned, result)
        } catch (error) {
          claim((error as Error).message.startsWith('of call '), 'threw', error)
        }
        depth--
      }

      function make(): void {
        Object.assign(changed, options)
        if (kind === 'throttle') changed.maxWait = changed.wait
        model = createHeldModel(world, () => changed)
        result = undefined
        notified = false
        controller = new AbortController()
        const { wait, hasOnError, ...edges } = { ...options, ...changed }
        const rest = {
          ...edges,
          signal: controller.signal,
          onError: hasOnError ? world.hear : undefined,
          clock,
        }
        held = kind === 'throttle' ? throttle(fn, wait, rest) : debounce(fn, wait, rest)
        held.subscribe(() => {
          claim(notified !== held.isPending(), 'notified without a change')
          notified = held.isPending()
        })
      }

      function configure(changes: DebounceChanges): void {
        const { wait = changed.wait, maxWait = changed.maxWait } = changes
        const { leading = changed.leading, trailing = changed.trailing } = changes
        Object.assign(changed, { wait, leading, trailing, maxWait: kind === 'throttle' ? wait : maxWait })
        // A throttled function has no maxWait to change.
        held.configure(kind === 'throttle' ? { ...changes, maxWait: undefined } : changes)
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
          model.reset()
          controller.abort()
          held.call({ n: 0 }, { n: 0, hasRun: true, inside: 'nothing', throws: false })
          attempt(() => held.flush())
          claim(!held.isPending(), 'is pending after the abort')
          make()
        } else if (step.do === 'cancel') {
          model.reset()
          held.cancel()
        } else {
          model.reset()
          held[Symbol.dispose]()
          Object.assign(changed, { leading: false, trailing: false })
          if (depth > 0 || isLong) configure(REVIVAL)
        }
      }

      make()
      return {
        act,
        check() {
          model.check(held.isPending())
          claim(notified === held.isPending(), 'did not notify of a change')
          claim(clock.pending <= 1, 'has several timers')
        },
        end: () => configure({ wait: 20 }),
        close: () => controller.abort(),
      }
    },
  })
}

export const debounces: ChaosPart[] = [
  define('debounce', 'debounce', fc.constant(Infinity)),
  define('debounce with maxWait', 'debounce', maxWaits),
  define('throttle', 'throttle', fc.constant(0)),
]
