import fc from 'fast-check'
import { useBatch, useDebounce, useDebouncedAsync, useDebouncedCallback, useThrottle } from 'lull'
import { batch, debounce, debounceAsync } from 'lull/core'
import { createManualClock, type ManualClock } from 'lull/testing'
import { useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { anyOf } from '../../laws/steps.ts'
import { tries } from '../../laws/tries.ts'
import {
  boundaries,
  createStage,
  inTask,
  modes,
  policyIn,
  type Boundary,
  type Mode,
} from '../support/render-on-clock.tsx'

interface Options {
  wait: number
  leading?: boolean
  trailing?: boolean
  maxWait?: number | undefined
  maxSize?: number | undefined
  isKeyed?: boolean
  overlap?: 'abort' | 'queue'
  onUnmount: 'cancel' | 'flush'
}
type Step =
  | { do: 'call'; n: number }
  | { do: 'advance'; by: number }
  | { do: 'render'; options: Options }
  | { do: 'hide' | 'show' | 'flush' | 'cancel' | 'remount' }

/** The props of a component: `value` for hooks that debounce a value. */
interface Props {
  options: Options
  render: number
  value: number
}

interface Held {
  /** @param id the number of the step */
  call: (n: number, id: number) => void
  flush: () => unknown
  cancel: () => unknown
  shown: () => string
}

/** The core function behind a hook. */
interface Core extends Held {
  /** Acts as on an unmount or hide of the component. */
  end: (onUnmount: 'cancel' | 'flush') => void
  /** Applies other options, or those of a component shown again. */
  configure: (options: Options) => void
}

interface Trial {
  clock: ManualClock
  log: string[]
}

interface Kind {
  name: string
  options: fc.Arbitrary<Options>
  isValue?: boolean
  create: (trial: Trial, latest: () => Props) => Core
  useHook: (trial: Trial, props: Props) => Held
}

const policy = fc.constantFrom<Options['onUnmount'][]>('cancel', 'flush')

const timing = ({ wait, leading = false, trailing = true, maxWait = Infinity }: Options) =>
  ({ wait, leading, trailing, maxWait }) as const

/** Ignores calls. A burst that no flush has ended continues when the component is shown again. */
const away = { wait: Infinity, leading: false, trailing: false }

const callback: Kind = {
  name: 'useDebouncedCallback',
  options: fc.record(
    {
      wait: fc.constantFrom(0, 10, 30, 100),
      leading: fc.boolean(),
      trailing: fc.boolean(),
      maxWait: fc.constantFrom(undefined, 0, 10, 50, 200),
      onUnmount: policy,
    },
    { requiredKeys: ['wait', 'onUnmount'] },
  ),
  create({ clock, log }, latest) {
    const run = (n: number): number => log.push(`${clock.now()} ${n} by ${latest().render}`)
    const { options } = latest()
    const debounced = debounce(run, options.wait, { ...timing(options), clock })
    return {
      ...debounced,
      call: debounced,
      shown: () => String(debounced.isPending()),
      end(onUnmount) {
        debounced[onUnmount]()
        debounced.configure(away)
      },
      configure: (options) => debounced.configure(timing(options)),
    }
  },
  useHook({ clock, log }, { render, options: { wait, ...options } }) {
    const debounced = useDebouncedCallback(
      (n: number) => log.push(`${clock.now()} ${n} by ${render}`),
      wait,
      options,
    )
    return { ...debounced, call: debounced, shown: () => String(debounced.isPending()) }
  },
}

/** Runs asynchronously, sometimes fails, and ignores its signal. */
const createTask =
  ({ clock, log }: Trial) =>
  (signal: AbortSignal, n: number, id: number): Promise<number> => {
    log.push(`${clock.now()} begin ${id}`)
    signal.addEventListener('abort', () => log.push(`${clock.now()} abort ${id}`))
    return new Promise((resolve, reject) => {
      clock.after([0, 20, 70][n % 3]!, () => (n % 2 ? reject(new Error(`no ${id}`)) : resolve(id)))
    })
  }

function note({ clock, log }: Trial, id: number, outcome: Promise<unknown>): void {
  outcome.then(
    (end) => log.push(`${clock.now()} ${id} ${JSON.stringify(end)}`),
    (error: unknown) => log.push(`${clock.now()} ${id} ${String(error)}`),
  )
}

const task: Kind = {
  name: 'useDebouncedAsync',
  options: fc.record({
    wait: fc.constant(50),
    overlap: fc.constantFrom('abort', 'queue'),
    leading: fc.boolean(),
    onUnmount: policy,
  }),
  create(trial, latest) {
    const { wait, ...options } = latest().options
    const debounced = debounceAsync(createTask(trial), wait, { ...options, clock: trial.clock })
    let data: number | undefined
    let ended = 'idle'
    return {
      ...debounced,
      call(n, id) {
        const outcome = debounced(n, id)
        note(trial, id, outcome)
        outcome.then(
          (end) => {
            if (end.status !== 'done') return
            data = end.value
            ended = 'success'
          },
          () => (ended = 'error'),
        )
      },
      shown: () => `${debounced.isPending() ? 'pending' : ended} ${data}`,
      end(onUnmount) {
        void debounced[onUnmount]()
        debounced.configure(away)
      },
      configure: (options) => debounced.configure(timing(options)),
    }
  },
  useHook(trial, { options: { wait, ...options } }) {
    const start = createTask(trial)
    const { run, flush, cancel, status, data } = useDebouncedAsync(
      (signal: AbortSignal, n: number, id: number) => start(signal, n, id),
      wait,
      options,
    )
    return { call: (n, id) => note(trial, id, run(n, id)), flush, cancel, shown: () => `${status} ${data}` }
  },
}

const limits = ({ wait, maxWait = Infinity, maxSize = Infinity }: Options) => ({ wait, maxWait, maxSize })
const byParity = (n: number): number => n % 2

const batches: Kind = {
  name: 'useBatch',
  options: fc.record({
    wait: fc.constantFrom(0, 30, 100, Infinity),
    maxWait: fc.constantFrom(undefined, 50, 150),
    maxSize: fc.constantFrom(undefined, 1, 2, 5),
    onUnmount: policy,
    isKeyed: fc.boolean(),
  }),
  create(trial, latest) {
    const { clock, log } = trial
    const send = (items: number[]): number[] => {
      log.push(`${clock.now()} ${items.join()} by ${latest().render}`)
      return items.map((n) => n * 10)
    }
    const key = (n: number): unknown => (latest().options.isKeyed ? byParity(n) : Symbol())
    const batched = batch(send, { ...limits(latest().options), key, clock })
    return {
      ...batched,
      call: (n, id) => note(trial, id, batched.add(n)),
      shown: () => String(batched.size),
      end(onUnmount) {
        void batched[onUnmount]()
        batched[Symbol.dispose]()
      },
      configure: (options) => batched.configure(limits(options)),
    }
  },
  useHook(trial, { render, options: { isKeyed, wait, maxWait, maxSize, onUnmount } }) {
    const { clock, log } = trial
    const batched = useBatch(
      (items: number[]) => {
        log.push(`${clock.now()} ${items.join()} by ${render}`)
        return items.map((n) => n * 10)
      },
      { wait, maxWait, maxSize, onUnmount, ...(isKeyed && { key: byParity }) },
    )
    return { ...batched, call: (n, id) => note(trial, id, batched.add(n)), shown: () => String(batched.size) }
  },
}

const valueKind = (name: 'useDebounce' | 'useThrottle', isLiteral: boolean): Kind => {
  const isThrottle = name === 'useThrottle'
  const full = (options: Options): Options => (isThrottle ? { ...options, maxWait: 0 } : options)
  return {
    name: `${name} of a ${isLiteral ? 'recreated literal' : 'number'}`,
    isValue: true,
    options: fc.record({
      wait: fc.constantFrom(50, 50, 80),
      leading: fc.boolean(),
      maxWait: fc.constantFrom(undefined, 80, 200),
      onUnmount: policy,
    }),
    create({ clock }, latest) {
      let shown = latest().value
      let asked = shown
      const { options } = latest()
      const debounced = debounce((next: number) => (shown = next), options.wait, {
        ...timing(full(options)),
        clock,
      })
      const follow = (): void => {
        const { value } = latest()
        if (value !== (debounced.isPending() ? asked : shown)) debounced((asked = value))
      }
      return {
        ...debounced,
        call: follow,
        shown: () => String(shown),
        end: () => debounced[Symbol.dispose](),
        configure(options) {
          debounced.configure(timing(full(options)))
          follow()
        },
      }
    },
    useHook(_, { value, options: { wait, leading = false, maxWait } }) {
      const given = isLiteral ? [value] : value
      const useValue = isThrottle ? useThrottle : useDebounce
      const shown = useValue<number | number[]>(given, wait, isThrottle ? { leading } : { leading, maxWait })
      const nothing = (): void => undefined
      return { call: nothing, flush: nothing, cancel: nothing, shown: () => String(Number(shown)) }
    },
  }
}

const kinds = [
  callback,
  task,
  batches,
  ...(['useDebounce', 'useThrottle'] as const).flatMap((name) =>
    [false, true].map((isLiteral) => valueKind(name, isLiteral)),
  ),
]

const stepsOf = ({ options, isValue = false }: Kind): fc.Arbitrary<Step[]> => {
  const call = { n: fc.nat(isValue ? 2 : 9) }
  const verbs = isValue ? 'hide show remount' : 'hide show remount flush cancel'
  return fc.array(
    anyOf({
      call: [5, call],
      advance: [5, { by: fc.constantFrom(0, 1, 10, 29, 30, 50, 100) }],
      render: [2, { options }],
      [verbs]: isValue ? 2 : 4,
    }) as fc.Arbitrary<unknown> as fc.Arbitrary<Step>,
    { maxLength: 30, size: 'max' },
  )
}

interface Played {
  log: string[]
  /** The text shown after each step; undefined while hidden. */
  shown: (string | undefined)[]
}

/** Models a hidden component as unmounted in an Activity, and as shown in a Suspense boundary. */
async function model(kind: Kind, boundary: Boundary, first: Options, script: Step[]): Promise<Played> {
  const trial: Trial = { clock: createManualClock(), log: [] }
  let props: Props = { options: first, render: 0, value: 0 }
  /** The last options, with the overlap of the component's first render. */
  let given = first
  let { overlap } = first
  /** `onUnmount` from the last time it was visible. */
  let { onUnmount } = first
  let isHidden = false
  let core = kind.create(trial, () => props)
  const shown: Played['shown'] = []
  for (const [id, step] of script.entries()) {
    const isAway = isHidden && boundary === 'Activity'
    const isFrozen = isHidden && boundary === 'Suspense'
    if (step.do === 'call') {
      if (kind.isValue && !isFrozen) props = { ...props, value: step.n }
      if (!kind.isValue || !isAway) core.call(step.n, id)
    } else if (step.do === 'advance') await trial.clock.advanceAsync(step.by)
    else if (step.do === 'flush' || step.do === 'cancel') void core[step.do]()
    else if (step.do === 'render') {
      if (!isFrozen) {
        given = step.options
        props = { ...props, render: props.render + 1, options: { ...given, ...(overlap && { overlap }) } }
        if (!isAway) {
          core.configure(props.options)
          onUnmount = given.onUnmount
        }
      }
    } else if (step.do === 'remount') {
      if (!isHidden) {
        core.end(onUnmount)
        props = { ...props, options: given }
        overlap = given.overlap
        core = kind.create(trial, () => props)
      }
    } else if (isHidden !== (step.do === 'hide')) {
      isHidden = !isHidden
      if (boundary === 'Activity') {
        if (isHidden) core.end(onUnmount)
        else {
          core.configure(props.options)
          onUnmount = given.onUnmount
        }
      }
    }
    await trial.clock.advanceAsync(0)
    shown.push(isHidden ? undefined : core.shown())
  }
  core.end(onUnmount)
  await trial.clock.advanceAsync(1000)
  return { log: trial.log, shown }
}

async function play(
  kind: Kind,
  mode: Mode,
  boundary: Boundary,
  first: Options,
  script: Step[],
): Promise<Played> {
  const stage = createStage(mode, boundary)
  const trial: Trial = { clock: stage.clock, log: [] }
  const { useHook } = kind
  let held!: Held
  function Box(props: Props): ReactNode {
    const own = useHook(trial, props)
    useInsertionEffect(() => void (held = own))
    return null
  }
  let props: Props = { options: first, render: 0, value: 0 }
  let key = 0
  let isHidden = false
  const update = (changes: Partial<Props>): Promise<void> => {
    props = { ...props, ...changes }
    return stage.render(<Box {...props} />, key)
  }
  await update({})
  const shown: Played['shown'] = []
  for (const [id, step] of script.entries()) {
    const isFrozen = isHidden && boundary === 'Suspense'
    if (step.do === 'call') {
      if (!kind.isValue) await inTask(() => held.call(step.n, id))
      else if (!isFrozen) await update({ value: step.n })
    } else if (step.do === 'advance') await stage.advance(step.by)
    else if (step.do === 'flush') await inTask(() => void held.flush())
    else if (step.do === 'cancel') await inTask(() => void held.cancel())
    else if (step.do === 'render') {
      if (!isFrozen) await update({ render: props.render + 1, options: step.options })
    } else if (step.do === 'remount') {
      if (!isHidden) {
        key++
        await update({})
      }
    } else {
      isHidden = step.do === 'hide'
      await stage[step.do]()
    }
    await stage.advance(0)
    shown.push(isHidden ? undefined : held.shown())
  }
  await stage.unmount()
  await stage.advance(1000)
  expect(stage.clock.pending).toBe(0)
  return { log: trial.log, shown }
}

const cases = kinds.flatMap((kind) =>
  modes.flatMap((mode) => boundaries.map((boundary) => ({ name: kind.name, kind, mode, boundary }))),
)

describe.each(cases)('$name, $mode, in $boundary', ({ kind, mode, boundary }) => {
  it('behaves as the core does, through any lifecycle of the component', { timeout: 60_000 }, async () => {
    const policy = policyIn(mode, boundary)
    await fc.assert(
      fc.asyncProperty(kind.options, stepsOf(kind), async (drawn, steps) => {
        const script = steps.map((step): Step =>
          step.do === 'render' ? { ...step, options: { ...step.options, ...policy } } : step,
        )
        const first = { ...drawn, ...policy }
        expect(await play(kind, mode, boundary, first, script)).toEqual(
          await model(kind, boundary, first, script),
        )
      }),
      tries(150),
    )
  })
})
