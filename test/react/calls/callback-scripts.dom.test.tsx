import fc from 'fast-check'
import { useDebouncedCallback, type DebouncedCallbackOptions } from 'lull'
import { debounce, type DebouncedFunction } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { tries } from '../../laws/tries.ts'
import {
  boundaries,
  createStage,
  modes,
  type Boundary,
  type Mode,
  policyIn,
} from '../support/render-on-clock.tsx'

type Options = Pick<DebouncedCallbackOptions, 'leading' | 'trailing' | 'maxWait' | 'onUnmount'> & {
  wait: number
}
type Step =
  | { do: 'call' | 'advance'; by: number }
  | { do: 'render'; options: Options }
  | { do: 'hide' | 'show' | 'flush' | 'cancel' | 'remount' }

type Policy = Pick<Options, 'onUnmount'>

const optionsIn = (policy: Policy): fc.Arbitrary<Options> =>
  fc
    .record(
      {
        wait: fc.constantFrom(0, 10, 30, 100),
        leading: fc.boolean(),
        trailing: fc.boolean(),
        maxWait: fc.constantFrom(undefined, 0, 10, 50, 200),
        onUnmount: fc.constantFrom('cancel', 'flush'),
      },
      { requiredKeys: ['wait'] },
    )
    .map((options) => ({ ...options, ...policy }))
const stepsIn = (policy: Policy): fc.Arbitrary<Step[]> =>
  fc.array<Step>(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('call' as const),
          by: fc.nat(99),
        }),
      },
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant('advance' as const),
          by: fc.constantFrom(1, 10, 29, 30, 100),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('render' as const), options: optionsIn(policy) }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constantFrom(
            'hide' as const,
            'show' as const,
            'flush' as const,
            'cancel' as const,
            'remount' as const,
          ),
        }),
      },
    ),
    { maxLength: 40 },
  )

type Save = (n: number) => void

/** Runs as [instant, argument, number of the render whose callback ran]. */
type Runs = [at: number, n: number, render: number][]

const timing = ({ wait, leading = false, trailing = true, maxWait = Infinity }: Options) => ({
  wait,
  leading,
  trailing,
  maxWait,
})

/** What is hidden is as good as unmounted to the hook in an Activity, and as good as shown in a Suspense boundary. */
function model(boundary: Boundary, first: Options, script: readonly Step[]): Runs {
  const clock = createManualClock()
  const runs: Runs = []
  let render = 0
  let current = first
  let isHidden = false
  let debounced: DebouncedFunction<Save> | undefined

  function begin(): void {
    const run: Save = (n) => runs.push([clock.now(), n, render])
    debounced = debounce(run, current.wait, { ...timing(current), clock })
  }
  function end(): void {
    debounced?.[current.onUnmount ?? 'cancel']()
    debounced?.cancel()
    debounced = undefined
  }

  begin()
  for (const step of script) {
    if (step.do === 'call') debounced?.(step.by)
    else if (step.do === 'advance') clock.advance(step.by)
    else if (step.do === 'flush' || step.do === 'cancel') debounced?.[step.do]()
    else if (step.do === 'hide' || step.do === 'show') {
      const isChange = isHidden !== (step.do === 'hide')
      isHidden = step.do === 'hide'
      if (isChange && boundary === 'Activity') (isHidden ? end : begin)()
    } else if (isHidden && boundary === 'Suspense') continue
    else if (step.do === 'render') {
      render++
      current = step.options
      debounced?.configure(timing(current))
    } else if (!isHidden) {
      end()
      begin()
    }
  }
  end()
  return runs
}

async function play(mode: Mode, boundary: Boundary, first: Options, script: readonly Step[]): Promise<Runs> {
  const stage = createStage(mode, boundary)
  const runs: Runs = []
  let render = 0
  let key = 0
  let current = first
  let isHidden = false
  let debounced: DebouncedFunction<Save>

  function Box({ render, options: { wait, ...rest } }: { render: number; options: Options }): ReactNode {
    const own = useDebouncedCallback(
      (n: number) => void runs.push([stage.clock.now(), n, render]),
      wait,
      rest,
    )
    useInsertionEffect(() => {
      debounced = own
    })
    return null
  }

  const update = (): Promise<void> => stage.render(<Box render={render} options={current} />, key)
  await update()
  for (const step of script) {
    if (step.do === 'call') debounced!(step.by)
    else if (step.do === 'advance') await stage.advance(step.by)
    else if (step.do === 'flush' || step.do === 'cancel') debounced![step.do]()
    else if (step.do === 'hide' || step.do === 'show') {
      isHidden = step.do === 'hide'
      await stage[step.do]()
    } else if (isHidden && boundary === 'Suspense') continue
    else if (step.do === 'render') {
      render++
      current = step.options
      await update()
    } else if (!isHidden) {
      key++
      await update()
    }
  }
  await stage.unmount()
  debounced!(1)
  expect(stage.clock.pending).toBe(0)
  return runs
}

describe.each(modes.flatMap((mode) => boundaries.map((boundary) => [mode, boundary] as const)))(
  'useDebouncedCallback, %s, in %s',
  (mode, boundary) => {
    const policy = policyIn(mode, boundary)

    it('runs what the core runs, whatever becomes of the component', { timeout: 60_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(optionsIn(policy), stepsIn(policy), async (first, script) => {
          expect(await play(mode, boundary, first, script)).toEqual(model(boundary, first, script))
        }),
        tries(150),
      )
    })
  },
)
