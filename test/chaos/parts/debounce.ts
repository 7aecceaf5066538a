import fc from 'fast-check'
import { debounce, throttle, type DebounceChanges, type Debounced, type DebounceOptions } from 'lull/core'
import { createHeldModel, type Call, type HeldModel, type Timing } from './held-model.ts'
import { definePart, orNot, steps, type ChaosPart, type TrialPart, type World } from '../part.ts'

type Plan = Pick<Call, 'inside' | 'throws'>
type ConfigureStep = { do: 'configure' } & DebounceChanges
type Step =
  | ({ do: 'call' } & Plan)
  | { do: 'flush' | 'cancel' | 'dispose' | 'abort' | 'hold' | 'release' | 'leavePage' | 'blink' }
  | ConfigureStep
export type DebouncedFn = (this: { n: number }, call: Call) => number

export const waits = fc.constantFrom(0, 1, 20, 20, 100, 100, 250.5)
export const maxWaits = fc.constantFrom(Infinity, 0, 30, 150)
export const timings = { wait: waits, leading: fc.boolean(), trailing: fc.boolean() }

const nothing = fc.constant('nothing' as const)

const coreSteps = {
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
} satisfies Parameters<typeof steps>[0]
const coreStep = steps<Step>(coreSteps)

/** Turns an edge on, so that a long run continues after a dispose. */
const REVIVAL: DebounceChanges = { trailing: true }

/** The function under test: of the core, or of a component, which is configured and ended in other ways. */
export interface DebounceTrial {
  held: Debounced<DebouncedFn>
  /** Ends it until it is configured. */
  dispose: () => void
  /** Ends it permanently. */
  abort: () => void
  /** Hides the component, which ends the function, and shows it again in the same task. */
  blink?: () => void
  /** Delays all runs while `isOn`. */
  hold?: (isOn: boolean) => void
  /** Dispatches `pagehide`. */
  leavePage?: () => void
}

/** Options that run a pending call where it would be dropped. */
interface Policies {
  onUnmount?: 'cancel' | 'flush'
  flushOn?: readonly unknown[]
}

type Begin<Options> = (world: World, fn: DebouncedFn, timing: Timing, options: Options) => DebounceTrial

const componentStep = steps<Step>({ ...coreSteps, 'hold release leavePage blink blink': 10 })

export function defineDebounce<Options extends Timing & Policies>({
  kind,
  begin,
  ...part
}: TrialPart<Options, Begin<Options>> & { kind: 'debounce' | 'throttle' }): ChaosPart {
  return definePart<Options, Step>({
    ...part,
    step: part.around ? componentStep : coreStep,
    isSync: !part.around,
    begin(world, options, isLong) {
      const { clock, claim } = world
      const { onUnmount = 'cancel', flushOn = [] } = options
      const changed: Timing = { ...options }
      let trial: DebounceTrial
      let model: HeldModel
      let calls = 0
      let result: number | undefined
      let notified = false
      let isHeldBack = false
      let isEnding = false
      // An error during an unmount breaks the tree; the next tree has no result yet.
      let isBroken = false

      const endless = { wait: Infinity, maxWait: Infinity, leading: false }
      const timing = (): Timing =>
        isHeldBack ? { ...endless, trailing: changed.leading || changed.trailing } : changed

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
        isBroken = false
        return (result = call.n)
      }
      // The number of our calls on the stack.
      let depth = 0

      function actInside(inside: Exclude<Call['inside'], 'nothing'>): void {
        if (inside === 'call') act({ do: 'call', inside: 'nothing', throws: false })
        // Nothing can be rendered during an unmount.
        else if (isEnding && (inside === 'configure' || inside === 'dispose')) return
        else act(inside === 'configure' ? { do: 'configure', wait: 20 } : { do: inside })
      }

      /** Calls `make`, which may throw the error of a run. */
      function attempt(make: () => number | undefined): void {
        depth++
        try {
          const returned = make()
          claim(returned === result || (isBroken && returned === undefined), 'returned', returned, result)
        } catch (error) {
          isBroken ||= isEnding
          claim((error as Error).message.startsWith('of call '), 'threw', error)
        }
        depth--
      }

      function end(how: 'dispose' | 'abort' | 'blink'): void {
        isEnding = true
        const { held } = model
        if (onUnmount === 'cancel') model.reset()
        model.flushing(() =>
          attempt(() => {
            trial[how]?.()
            return result
          }),
        )
        claim(onUnmount === 'cancel' || !held || held.hasRun, 'lost a call at the end', held?.n)
        model.reset()
        isEnding = false
      }

      function make(): void {
        Object.assign(changed, options)
        if (kind === 'throttle') changed.maxWait = changed.wait
        model = createHeldModel(world, timing)
        result = undefined
        notified = isHeldBack = false
        trial = begin(world, fn, changed, options)
        const { held } = trial
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
        trial.held.configure(kind === 'throttle' ? { ...changes, maxWait: undefined } : changes)
      }

      function act(step: Step): void {
        const { held } = trial
        if (step.do === 'call') {
          const call: Call = { n: ++calls, hasRun: false, inside: step.inside, throws: step.throws }
          model.calling(call, () => attempt(() => held.call({ n: call.n }, call)))
        } else if (step.do === 'flush') {
          model.flushing(() => attempt(() => held.flush()))
        } else if (step.do === 'configure') {
          configure(step)
        } else if (step.do === 'hold' || step.do === 'release') {
          isHeldBack = step.do === 'hold'
          trial.hold?.(isHeldBack)
        } else if (step.do === 'leavePage') {
          const { held: last } = model
          const leave = (): void => trial.leavePage?.()
          if (flushOn.length > 0) model.flushing(leave)
          else leave()
          claim(flushOn.length === 0 || !last || last.hasRun, 'lost a call on pagehide', last?.n)
        } else if (step.do === 'blink') {
          end('blink')
        } else if (step.do === 'abort') {
          if (isLong) return
          end('abort')
          held.call({ n: 0 }, { n: 0, hasRun: true, inside: 'nothing', throws: false })
          attempt(() => held.flush())
          claim(!held.isPending(), 'is pending after the abort')
          make()
        } else if (step.do === 'cancel') {
          model.reset()
          held.cancel()
        } else {
          end('dispose')
          Object.assign(changed, { leading: false, trailing: false })
          // A component is shown again by the next step that configures it.
          if (!trial.blink && (depth > 0 || isLong)) configure(REVIVAL)
        }
      }

      make()
      return {
        act,
        check() {
          model.check(trial.held.isPending())
          claim(notified === trial.held.isPending(), 'did not notify of a change')
          claim(clock.pending <= 1, 'has several timers')
        },
        end() {
          if (isHeldBack) act({ do: 'release' })
          configure({ wait: 20 })
        },
        close: () => trial.abort(),
      }
    },
  })
}

interface Options extends Timing {
  hasOnError: boolean
}

function define(name: string, kind: 'debounce' | 'throttle', maxWait: fc.Arbitrary<number>): ChaosPart {
  return defineDebounce<Options>({
    name,
    kind,
    options: fc.record({ ...timings, hasOnError: fc.boolean(), maxWait }),
    begin({ clock, hear }, fn, { wait, leading, trailing, maxWait }, { hasOnError }): DebounceTrial {
      const controller = new AbortController()
      const rest: DebounceOptions = {
        leading,
        trailing,
        maxWait,
        signal: controller.signal,
        onError: hasOnError ? hear : undefined,
        clock,
      }
      const held = kind === 'throttle' ? throttle(fn, wait, rest) : debounce(fn, wait, rest)
      return { held, dispose: () => held[Symbol.dispose](), abort: () => controller.abort() }
    },
  })
}

export const debounces: ChaosPart[] = [
  define('debounce', 'debounce', fc.constant(Infinity)),
  define('debounce with maxWait', 'debounce', maxWaits),
  define('throttle', 'throttle', fc.constant(0)),
]
