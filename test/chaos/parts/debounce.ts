import fc from 'fast-check'
import { debounce, throttle, type DebounceChanges } from 'lull/core'
import { createHeldModel, type Call } from './held-model.ts'
import { anyOf, type Of, orNot } from '../../laws/steps.ts'
import { definePart, type ChaosPart } from '../part.ts'

const waits = fc.constantFrom(0, 1, 20, 20, 100, 100, 250.5)
const maxWaits = fc.constantFrom(Infinity, 0, 30, 150)
export const timings = { wait: waits, leading: fc.boolean(), trailing: fc.boolean() }
export const changes = { wait: orNot(waits), leading: orNot(fc.boolean()), trailing: orNot(fc.boolean()) }

const step = anyOf({
  // `inside`: what the run itself does.
  call: [
    24,
    {
      inside: fc.oneof(
        { weight: 12, arbitrary: fc.constant('nothing' as const) },
        { weight: 3, arbitrary: fc.constantFrom('call', 'flush', 'cancel') },
        { weight: 1, arbitrary: fc.constantFrom('configure', 'dispose') },
      ),
      throws: fc.constantFrom(false, false, false, false, false, true),
    },
  ],
  'flush cancel': 3,
  configure: [3, { ...changes, maxWait: orNot(maxWaits) }],
  // Calls are ignored from then on, until a `configure` turns an edge on.
  dispose: 1,
})

type Step = Of<typeof step> | ({ do: 'configure' } & DebounceChanges)

function define(name: string, make: typeof debounce, maxWait: fc.Arbitrary<number>): ChaosPart {
  return definePart({
    name,
    options: fc.record({ ...timings, hasOnError: fc.boolean(), maxWait, aborts: fc.boolean() }),
    step,
    isSync: true,
    begin(world, { hasOnError, aborts, ...timing }) {
      const { clock, claim, hear } = world
      const isThrottle = make === throttle
      if (isThrottle) timing.maxWait = timing.wait
      const model = createHeldModel(world, timing)
      const controller = new AbortController()
      let calls = 0
      let result: number | undefined
      let notified = false
      // The number of our calls on the stack.
      let depth = 0

      const { wait, maxWait, ...edges } = timing
      const onError = hasOnError ? hear : undefined
      const held = make(fn, wait, {
        ...edges,
        ...(!isThrottle && { maxWait }),
        signal: controller.signal,
        onError,
        clock,
      })
      held.subscribe(() => {
        claim(notified !== held.isPending(), 'notified without a change')
        notified = held.isPending()
      })

      function fn(this: { n: number }, call: Call): number {
        claim(this.n === call.n, 'ran with another this', this.n, call.n)
        const isByTimer = depth === 0
        model.running(call, () => {
          depth++
          if (call.inside === 'call') act({ do: 'call', inside: 'nothing', throws: false })
          else if (call.inside === 'configure') act({ do: 'configure', wait: 20 })
          else if (call.inside !== 'nothing') act({ do: call.inside })
          depth--
        })
        if (call.throws) {
          const error = new Error(`of call ${call.n}`)
          if (isByTimer) world.expectError(error)
          throw error
        }
        return (result = call.n)
      }

      /** Calls `act`, which may throw the error of a run. */
      function attempt(act: () => number | undefined): void {
        depth++
        try {
          const returned = act()
          claim(returned === result, 'returned', returned, result)
        } catch (error) {
          claim((error as Error).message.startsWith('of call '), 'threw', error)
        }
        depth--
      }

      function act(step: Step): void {
        if (step.do === 'call') {
          const call: Call = { n: ++calls, hasRun: false, inside: step.inside, throws: step.throws }
          model.calling(call, () => attempt(() => held.call({ n: call.n }, call)))
        } else if (step.do === 'flush') {
          model.flushing(() => attempt(() => held.flush()))
        } else if (step.do === 'configure') {
          const { wait = timing.wait, maxWait = timing.maxWait } = step
          const { leading = timing.leading, trailing = timing.trailing } = step
          Object.assign(timing, { wait, leading, trailing, maxWait: isThrottle ? wait : maxWait })
          // A throttled function has no maxWait to change.
          held.configure(isThrottle ? { ...step, maxWait: undefined } : step)
        } else {
          model.reset()
          if (step.do === 'cancel') return held.cancel()
          held[Symbol.dispose]()
          Object.assign(timing, { leading: false, trailing: false })
        }
      }

      return {
        act,
        check() {
          model.check(held.isPending())
          claim(notified === held.isPending(), 'did not notify of a change')
          claim(clock.pending <= 1, 'has several timers')
        },
        end() {
          act({ do: 'configure', wait: 20 })
          if (!aborts) return
          model.reset()
          controller.abort()
          held.call({ n: 0 }, { n: 0, hasRun: true, inside: 'nothing', throws: false })
          attempt(() => held.flush())
        },
      }
    },
  })
}

export const debounces: ChaosPart[] = [
  define('debounce', debounce, fc.constant(Infinity)),
  define('debounce with maxWait', debounce, maxWaits),
  define('throttle', throttle, fc.constant(0)),
]
