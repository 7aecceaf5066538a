import fc from 'fast-check'
import { useBatch, useDebounce, useDebouncedAsync, useDebouncedCallback, useThrottle } from 'lull'
import { batch, debounce, debounceAsync } from 'lull/core'
import { createManualClock, type ManualClock } from 'lull/testing'
import { useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { scriptsOf } from '../../laws/steps.ts'
import { forAllAsync } from '../../laws/tries.ts'
import { boundaries, createStage, inTask, modes, policyIn, type Boundary } from '../support/render.tsx'

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
  shown: () => unknown
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

const createRun =
  ({ clock, log }: Trial, latest: () => Props) =>
  (n: number): number =>
    log.push(`${clock.now()} ${n} by ${latest().render}`)

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
  create(trial, latest) {
    const { options } = latest()
    const debounced = debounce(createRun(trial, latest), options.wait, {
      ...timing(options),
      clock: trial.clock,
    })
    return {
      ...debounced,
      call: debounced,
      shown: debounced.isPending,
      end(onUnmount) {
        debounced[onUnmount]()
        debounced.configure(away)
      },
      configure: (options) => debounced.configure(timing(options)),
    }
  },
  useHook(trial, props) {
    const { wait, ...options } = props.options
    const debounced = useDebouncedCallback(
      createRun(trial, () => props),
      wait,
      options,
    )
    return { ...debounced, call: debounced, shown: debounced.isPending }
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
    const { wait, onUnmount: _onUnmount, ...options } = latest().options
    const debounced = debounceAsync(createTask(trial), wait, { ...options, clock: trial.clock })
    let last: { ended: string; data?: number; error?: unknown } = { ended: 'idle' }
    return {
      ...debounced,
      call(n, id) {
        const outcome = debounced(n, id)
        note(trial, id, outcome)
        outcome.then(
          (end) => {
            if (end.status !== 'done') return
            last = { ended: 'success', data: end.value }
          },
          (error: unknown) => (last = { ...last, ended: 'error', error }),
        )
      },
      shown() {
        const { ended, data, error } = last
        const status = debounced.isPending() ? 'pending' : ended
        return [status, data, error, data !== undefined && status !== 'success']
      },
      end(onUnmount) {
        void debounced[onUnmount]()
        debounced.configure(away)
      },
      configure: (options) => debounced.configure(timing(options)),
    }
  },
  useHook(trial, { options: { wait, ...options } }) {
    const { run, flush, cancel, status, data, error, isStale } = useDebouncedAsync(
      createTask(trial),
      wait,
      options,
    )
    return {
      call: (n, id) => note(trial, id, run(n, id)),
      flush,
      cancel,
      shown: () => [status, data, error, isStale],
    }
  },
}

const limits = ({ wait, maxWait = Infinity, maxSize = Infinity }: Options) => ({ wait, maxWait, maxSize })
const byParity = (n: number): number => n % 2

const createSend =
  ({ clock, log }: Trial, latest: () => Props) =>
  (items: number[]): number[] => {
    log.push(`${clock.now()} ${items.join()} by ${latest().render}`)
    return items.map((n) => n * 10)
  }

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
    const send = createSend(trial, latest)
    const key = (n: number): unknown => (latest().options.isKeyed ? byParity(n) : Symbol())
    const batched = batch(send, { ...limits(latest().options), key, clock: trial.clock })
    return {
      ...batched,
      call: (n, id) => note(trial, id, batched.add(n)),
      shown: () => batched.size,
      end(onUnmount) {
        void batched[onUnmount]()
        batched[Symbol.dispose]()
      },
      configure: (options) => batched.configure(limits(options)),
    }
  },
  useHook(trial, props) {
    const { isKeyed, ...options } = props.options
    const batched = useBatch(
      createSend(trial, () => props),
      { ...options, ...(isKeyed && { key: byParity }) },
    )
    return { ...batched, call: (n, id) => note(trial, id, batched.add(n)), shown: () => batched.size }
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
        shown: () => shown,
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
      const shown = useValue<number | number[]>(
        given,
        wait,
        isThrottle ? (leading ? {} : { leading }) : { leading, maxWait },
      )
      const nothing = (): void => undefined
      return { call: nothing, flush: nothing, cancel: nothing, shown: () => Number(shown) }
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
  return scriptsOf(30, {
    call: [5, call],
    advance: [5, { by: fc.constantFrom(0, 1, 10, 29, 30, 50, 100) }],
    render: [2, { options }],
    [verbs]: isValue ? 2 : 4,
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<Step[]>
}

/** Models a hidden component as unmounted in an Activity, and as shown in a Suspense boundary. */
function model(kind: Kind, boundary: Boundary, first: Options) {
  const trial: Trial = { clock: createManualClock(), log: [] }
  let props: Props = { options: first, render: 0, value: 0 }
  /** The last options, with the overlap of the component's first render. */
  let given = first
  /** `onUnmount` is from the last time it was visible. */
  let { overlap, onUnmount } = first
  let isAway = false
  let core = kind.create(trial, () => props)
  function configure(): void {
    core.configure(props.options)
    onUnmount = given.onUnmount
  }
  return {
    ...trial,
    call(n: number, id: number) {
      if (kind.isValue) props = { ...props, value: n }
      if (!kind.isValue || !isAway) core.call(n, id)
    },
    flush: () => void core.flush(),
    cancel: () => void core.cancel(),
    render(options: Options) {
      given = options
      props = { ...props, render: props.render + 1, options: { ...given, ...(overlap && { overlap }) } }
      if (!isAway) configure()
    },
    remount() {
      core.end(onUnmount)
      props = { ...props, options: given }
      overlap = given.overlap
      core = kind.create(trial, () => props)
    },
    hide() {
      isAway = boundary === 'Activity'
      if (isAway) core.end(onUnmount)
    },
    show() {
      if (isAway) configure()
      isAway = false
    },
    advance: trial.clock.advanceAsync,
    shown: () => core.shown(),
    end: () => core.end(onUnmount),
  }
}

async function mount(kind: Kind, stage: ReturnType<typeof createStage>, first: Options) {
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
  /** Moves the component by its key in every other render. */
  const update = (changes: Partial<Props>): Promise<void> => {
    props = { ...props, ...changes }
    const page = [<i key="i" />, <Box key="box" {...props} />]
    return stage.render(props.render % 2 ? page.reverse() : page, key)
  }
  await update({})
  return {
    ...stage,
    ...trial,
    call: (n: number, id: number) => (kind.isValue ? update({ value: n }) : inTask(() => held.call(n, id))),
    flush: () => inTask(() => void held.flush()),
    cancel: () => inTask(() => void held.cancel()),
    render: (options: Options) => update({ render: props.render + 1, options }),
    remount() {
      key++
      return update({})
    },
    shown: () => held.shown(),
    end: stage.unmount,
  }
}

type Player = ReturnType<typeof model> | Awaited<ReturnType<typeof mount>>

/** Returns the log, and what is shown after each step; undefined while hidden. */
async function play(player: Player, { isValue }: Kind, boundary: Boundary, script: Step[]) {
  let isHidden = false
  const shown: unknown[] = []
  for (const [id, step] of script.entries()) {
    const isFrozen = isHidden && boundary === 'Suspense'
    if (step.do === 'call') {
      if (!isValue || !isFrozen) await player.call(step.n, id)
    } else if (step.do === 'render') {
      if (!isFrozen) await player.render(step.options)
    } else if (step.do === 'remount') {
      if (!isHidden) await player.remount()
    } else if (step.do === 'hide' || step.do === 'show') {
      if (isHidden !== (step.do === 'hide')) await player[step.do]()
      isHidden = step.do === 'hide'
    } else if (step.do === 'advance') await player.advance(step.by)
    else await player[step.do]()
    await player.advance(0)
    shown.push(isHidden ? undefined : player.shown())
  }
  await player.end()
  await player.advance(1000)
  expect(player.clock.pending).toBe(0)
  return { log: player.log, shown }
}

const cases = kinds.flatMap((kind) =>
  modes.flatMap((mode) => boundaries.map((boundary) => ({ name: kind.name, kind, mode, boundary }))),
)

describe.each(cases)('$name, $mode, in $boundary', ({ kind, mode, boundary }) => {
  it('behaves as the core does, through any lifecycle of the component', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const policy = policyIn(mode, boundary)
    await forAllAsync(150, kind.options, stepsOf(kind), async (drawn, steps) => {
      const script = steps.map((step): Step =>
        step.do === 'render' ? { ...step, options: { ...step.options, ...policy } } : step,
      )
      const first = { ...drawn, ...policy }
      const mounted = await mount(kind, createStage(mode, boundary), first)
      expect(await play(mounted, kind, boundary, script)).toEqual(
        await play(model(kind, boundary, first), kind, boundary, script),
      )
    })
  })
})
