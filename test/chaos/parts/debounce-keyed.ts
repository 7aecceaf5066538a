import fc from 'fast-check'
import { debounceKeyed, type DebouncedByKey } from 'lull/core'
import { createHeldModel, type Call, type HeldModel, type Timing } from '../held-model.ts'
import { definePart, verb } from '../part.ts'
import { configuring, maxWaits, plan, waits, WAKING } from '../define-debounce.ts'

interface KeyedCall extends Call {
  key: string
}

type Configuring = typeof configuring extends fc.Arbitrary<infer Value> ? Value : never
type Plan = Pick<Call, 'inside' | 'throws'>
type Step =
  | { do: 'call'; key: string; plan: Plan }
  | { do: 'flush' | 'cancel'; key: string | undefined }
  | { do: 'dispose' | 'abort' }
  | Configuring

/** 'new': one that was never called before, and is never again. */
const keys = fc.constantFrom('a', 'a', 'b', 'c', 'new')

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 24, arbitrary: fc.record({ do: fc.constant('call' as const), key: keys, plan }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('flush' as const, 'cancel' as const),
      key: fc.constantFrom('a', 'b', undefined),
    }),
  },
  { weight: 2, arbitrary: configuring },
  { weight: 1, arbitrary: verb('dispose', 'abort') },
)

export const debounceKeyedPart = definePart<Timing, Step>({
  name: 'debounceKeyed',
  options: fc.record({ wait: waits, maxWait: maxWaits, leading: fc.boolean(), trailing: fc.boolean() }),
  step,
  isSync: true,
  begin(world, options, isLong) {
    const { clock, claim, expectError } = world
    const timing: Timing = { ...options }
    const models = new Map<string, HeldModel>()
    let held: DebouncedByKey<unknown, [KeyedCall], number, string>
    let controller: AbortController
    let calls = 0
    let depth = 0
    let isAtEnd = false

    function modelOf(key: string): HeldModel {
      const model = models.get(key) ?? createHeldModel(world, () => timing)
      models.set(key, model)
      return model
    }

    function fn(call: KeyedCall): number {
      const isByTimer = depth === 0
      modelOf(call.key).running(call, () => {
        depth++
        const { inside, key } = call
        if (inside === 'call') act({ do: 'call', key, plan: { inside: 'nothing', throws: false } })
        else if (inside === 'flush' || inside === 'cancel')
          act({ do: inside, key: calls % 2 ? key : undefined })
        else if (inside === 'dispose') act({ do: inside })
        else if (inside === 'configure') configure({ wait: 20 })
        depth--
      })
      if (!call.throws) return call.n
      const error = new Error(`of call ${call.n}`)
      if (isByTimer) expectError(error)
      throw error
    }

    function make(): void {
      Object.assign(timing, options)
      models.clear()
      controller = new AbortController()
      const { wait, ...rest } = timing
      const key = (call: KeyedCall): string => call.key
      held = debounceKeyed(fn, wait, { ...rest, key, signal: controller.signal, clock })
    }

    function attempt(make: () => number | undefined): void {
      depth++
      try {
        make()
      } catch (error) {
        const errors = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error]
        claim(
          errors.every(({ message }) => message.startsWith('of call ')),
          'threw',
          error,
        )
      }
      depth--
    }

    function configure({ wait, maxWait, leading, trailing }: Partial<Omit<Configuring, 'do'>>): void {
      // What may have been forgotten, since no run depended on it, is not remembered for an edge that is turned on later.
      if (leading === true || maxWait !== undefined)
        for (const model of models.values()) if (!model.held) model.reset()
      timing.wait = wait ?? timing.wait
      timing.maxWait = maxWait ?? timing.maxWait
      timing.leading = leading ?? timing.leading
      timing.trailing = trailing ?? timing.trailing
      held.configure({ wait, maxWait, leading, trailing })
    }

    /** Of one key, or of all. */
    const chosen = (key: string | undefined): HeldModel[] =>
      key === undefined ? [...models.values()] : [modelOf(key)]

    function act(step: Step): void {
      if (step.do === 'call') {
        const n = ++calls
        const call: KeyedCall = {
          n,
          hasRun: false,
          ...step.plan,
          key: step.key === 'new' ? `new ${n}` : step.key,
        }
        modelOf(call.key).calling(call, () => attempt(() => held(call)))
      } else if (step.do === 'flush') {
        let flush = (): void => attempt(() => held.flush(step.key))
        for (const model of chosen(step.key)) {
          const inner = flush
          flush = () => model.flushing(inner)
        }
        flush()
      } else if (step.do === 'cancel') {
        for (const model of chosen(step.key)) model.reset()
        held.cancel(step.key)
      } else if (step.do === 'configure') {
        configure(step)
      } else {
        if (step.do === 'abort' && isLong) return
        for (const model of models.values()) model.reset()
        if (step.do === 'dispose') {
          held[Symbol.dispose]()
          Object.assign(timing, { leading: false, trailing: false })
          if (depth > 0 || isLong) configure(WAKING)
        } else {
          controller.abort()
          held({ n: 0, hasRun: true, inside: 'nothing', throws: false, key: 'a' })
          held.flush()
          claim(!held.isPending(), 'goes on after the abort')
          make()
        }
      }
    }

    make()
    return {
      act,
      check() {
        let pending = 0
        for (const [key, model] of models) {
          model.check(held.isPending(key))
          if (model.held) pending++
          else if (key.startsWith('new ')) models.delete(key)
        }
        claim(held.isPending() === pending > 0, 'isPending says', held.isPending())
        claim(held.size >= pending, 'does not know the keys whose run is due', held.size, pending)
        claim(!isAtEnd || held.size === 0, 'remembers keys', held.size)
      },
      end() {
        configure({ wait: 20 })
        isAtEnd = true
      },
    }
  },
})
