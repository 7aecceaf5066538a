import fc from 'fast-check'
import { useDebouncedAsync, type DebouncedAsyncState } from 'lull'
import { debounceAsync, type DebouncedAsync } from 'lull/core'
import { createManualClock, type ManualClock } from 'lull/testing'
import { useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import {
  boundaries,
  createStage,
  inTask,
  modes,
  type Boundary,
  type Mode,
  policyIn,
} from '../support/mount-on-clock.tsx'

interface Settings {
  overlap: 'abort' | 'queue'
  leading: boolean
  onUnmount: 'cancel' | 'flush'
}
type Job = [takesMs: number, isGood: boolean]
type Step =
  | { do: 'run'; job: Job }
  | { do: 'advance'; by: number }
  | { do: 'hide' | 'show' | 'flush' | 'cancel' | 'render' }

const settings: fc.Arbitrary<Settings> = fc.record({
  overlap: fc.constantFrom('abort', 'queue'),
  leading: fc.boolean(),
  onUnmount: fc.constantFrom('cancel', 'flush'),
})
const steps = fc.array<Step>(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('run' as const),
        job: fc.tuple(fc.constantFrom(0, 20, 70), fc.boolean()),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('advance' as const),
        by: fc.constantFrom(1, 25, 50, 100),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom(
          'hide' as const,
          'show' as const,
          'flush' as const,
          'cancel' as const,
          'render' as const,
        ),
      }),
    },
  ),
  { maxLength: 30 },
)

const WAIT = 50

interface Played {
  /** What began and what became of each call, in order. */
  log: string[]
  /** What was shown after each step. */
  shown: string[]
}

/** Takes its time, and heeds no signal. */
function createTask(
  clock: ManualClock,
  log: string[],
): (signal: AbortSignal, n: number, job: Job) => Promise<number> {
  return (signal, n, [takesMs, isGood]) => {
    log.push(`${clock.now()} begin ${n}`)
    signal.addEventListener('abort', () => log.push(`${clock.now()} abort ${n}`))
    return new Promise((resolve, reject) => {
      clock.after(takesMs, () => (isGood ? resolve(n) : reject(new Error(`no ${n}`))))
    })
  }
}

function follow(outcome: Promise<{ status: string }>, n: number, clock: ManualClock, log: string[]): void {
  outcome.then(
    ({ status }) => log.push(`${clock.now()} ${status} ${n}`),
    () => log.push(`${clock.now()} failed ${n}`),
  )
}

async function model(boundary: Boundary, options: Settings, script: readonly Step[]): Promise<Played> {
  const { overlap, leading, onUnmount } = options
  const clock = createManualClock()
  const log: string[] = []
  const shown: string[] = []
  let data: number | undefined
  let ended = 'idle'
  let isHidden = false
  const debounced: DebouncedAsync<[number, Job], number> = debounceAsync(createTask(clock, log), WAIT, {
    overlap,
    leading,
    clock,
  })

  for (const [n, step] of script.entries()) {
    if (step.do === 'run') {
      const outcome = debounced(n, step.job)
      follow(outcome, n, clock, log)
      outcome.then(
        (end) => {
          if (end.status !== 'done') return
          data = end.value
          ended = 'success'
        },
        () => (ended = 'error'),
      )
    } else if (step.do === 'advance') await clock.advanceAsync(step.by)
    else if (step.do === 'flush') void debounced.flush()
    else if (step.do === 'cancel') debounced.cancel()
    else if (step.do !== 'render' && boundary === 'Activity' && isHidden !== (step.do === 'hide')) {
      isHidden = step.do === 'hide'
      if (isHidden) {
        void debounced[onUnmount]()
        debounced[Symbol.dispose]()
      } else debounced.configure({ wait: WAIT, leading, trailing: true })
    }
    await clock.advanceAsync(0)
    shown.push(`${debounced.isPending() ? 'pending' : ended} ${data}`)
  }
  void debounced[onUnmount]()
  debounced[Symbol.dispose]()
  await clock.advanceAsync(1000)
  return { log, shown }
}

async function play(
  mode: Mode,
  boundary: Boundary,
  options: Settings,
  script: readonly Step[],
): Promise<Played> {
  const stage = createStage(mode, boundary)
  const log: string[] = []
  const shown: string[] = []
  const task = createTask(stage.clock, log)
  let hook: DebouncedAsyncState<[number, Job], number>

  function Box({ options }: { options: Settings }): ReactNode {
    const own = useDebouncedAsync((signal: AbortSignal, n: number, job: Job) => task(signal, n, job), WAIT, {
      ...options,
    })
    useInsertionEffect(() => {
      hook = own
    })
    return null
  }
  await stage.render(<Box options={options} />)

  let isHidden = false
  for (const [n, step] of script.entries()) {
    await inTask(() => {
      if (step.do === 'run') follow(hook.run(n, step.job), n, stage.clock, log)
      else if (step.do === 'flush') void hook.flush()
      else if (step.do === 'cancel') hook.cancel()
    })
    if (step.do === 'advance') await stage.advance(step.by)
    else if (step.do === 'render') await stage.render(<Box options={options} />)
    else if (step.do === 'hide' || step.do === 'show') {
      isHidden = step.do === 'hide'
      await stage[step.do]()
    }
    await stage.advance(0)
    // What is hidden may be rendered late.
    shown.push(isHidden ? '' : `${hook!.status} ${hook!.data}`)
  }
  await stage.unmount()
  await stage.advance(1000)
  expect(stage.clock.pending).toBe(0)
  return { log, shown }
}

describe.each(modes.flatMap((mode) => boundaries.map((boundary) => [mode, boundary] as const)))(
  'useDebouncedAsync, %s, in %s',
  (mode, boundary) => {
    it(
      'runs, aborts, settles and shows what the core does, whatever becomes of the component',
      { timeout: 60_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(settings, steps, async (drawn, script) => {
            const options = { ...drawn, ...policyIn(mode, boundary) }
            const expected = await model(boundary, options, script)
            const actual = await play(mode, boundary, options, script)
            expect(actual.log).toEqual(expected.log)
            expect(actual.shown).toEqual(expected.shown.map((text, i) => actual.shown[i] && text))
          }),
          { numRuns: 100, seed: 1 },
        )
      },
    )
  },
)
