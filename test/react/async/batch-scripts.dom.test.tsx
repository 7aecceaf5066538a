import fc from 'fast-check'
import { useBatch, type UseBatchOptions } from 'lull'
import { batch, type Batch } from 'lull/core'
import { createManualClock } from 'lull/testing'
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

type Options = Pick<UseBatchOptions<number>, 'wait' | 'maxWait' | 'maxSize' | 'onUnmount'> & {
  isKeyed: boolean
}
type Step =
  | { do: 'add' | 'advance'; by: number }
  | { do: 'render'; options: Options }
  | { do: 'hide' | 'show' | 'flush' | 'cancel' }

type Policy = Pick<Options, 'onUnmount'>

const optionsIn = (policy: Policy): fc.Arbitrary<Options> =>
  fc
    .record({
      wait: fc.constantFrom(undefined, 0, 30, 100),
      maxWait: fc.constantFrom(undefined, 50, 150),
      maxSize: fc.constantFrom(undefined, 1, 2, 5),
      onUnmount: fc.constantFrom('cancel', 'flush'),
      isKeyed: fc.boolean(),
    })
    .map((options) => ({ ...options, ...policy }))
const stepsIn = (policy: Policy): fc.Arbitrary<Step[]> =>
  fc.array<Step>(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({ do: fc.constant('add' as const), by: fc.nat(9) }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('advance' as const),
          by: fc.constantFrom(0, 10, 30, 100),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('render' as const), options: optionsIn(policy) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constantFrom('hide' as const, 'show' as const, 'flush' as const, 'cancel' as const),
        }),
      },
    ),
    { maxLength: 30 },
  )

const byParity = (n: number): number => n % 2

const settings = ({ wait, maxWait = Infinity, maxSize = Infinity }: Options) => ({
  wait: wait ?? (maxWait < Infinity ? Infinity : 0),
  maxWait,
  maxSize,
})

/** What was sent, by the flush of which render, and what became of each item. */
function follow(added: Promise<number>, n: number, log: string[]): void {
  added.then(
    (answer) => log.push(`${n} is ${answer}`),
    (error: unknown) => log.push(`${n} ${error instanceof Error ? error.name : 'is nothing'}`),
  )
}

async function model(boundary: Boundary, first: Options, script: readonly Step[]): Promise<string[]> {
  const clock = createManualClock()
  const log: string[] = []
  let render = 0
  let current = first
  let isHidden = false
  const batched: Batch<number, number> = batch(
    (items) => {
      log.push(`${clock.now()}: ${items.join()} by ${render}`)
      return items.map((n) => n * 10)
    },
    {
      ...settings(first),
      key: (n) => (current.isKeyed ? byParity(n) : Symbol()),
      clock,
    },
  )
  function end(): void {
    void batched[current.onUnmount!]()
    batched[Symbol.dispose]()
  }

  for (const step of script) {
    if (step.do === 'add') follow(batched.add(step.by), step.by, log)
    else if (step.do === 'advance') await clock.advanceAsync(step.by)
    else if (step.do === 'flush' || step.do === 'cancel') void batched[step.do]()
    else if (step.do === 'render') {
      if (isHidden && boundary === 'Suspense') continue
      render++
      current = step.options
      if (!isHidden) batched.configure(settings(current))
    } else {
      const isChange = isHidden !== (step.do === 'hide')
      isHidden = step.do === 'hide'
      if (!isChange || boundary === 'Suspense') continue
      if (isHidden) end()
      else batched.configure(settings(current))
    }
    await clock.advanceAsync(0)
  }
  end()
  await clock.advanceAsync(0)
  return log
}

async function play(
  mode: Mode,
  boundary: Boundary,
  first: Options,
  script: readonly Step[],
): Promise<string[]> {
  const stage = createStage(mode, boundary)
  const log: string[] = []
  let render = 0
  let isHidden = false
  let batched: Batch<number, number>

  function Box({ render, options: { isKeyed, ...rest } }: { render: number; options: Options }): ReactNode {
    const own = useBatch<number, number>(
      (items) => {
        log.push(`${stage.clock.now()}: ${items.join()} by ${render}`)
        return items.map((n) => n * 10)
      },
      { ...rest, key: isKeyed ? byParity : undefined },
    )
    useInsertionEffect(() => {
      batched = own
    })
    return null
  }

  await stage.render(<Box render={0} options={first} />)
  for (const step of script) {
    const { do: what } = step
    if (step.do === 'add') await inTask(() => follow(batched.add(step.by), step.by, log))
    else if (step.do === 'advance') await stage.advance(step.by)
    else if (what === 'flush' || what === 'cancel') await inTask(() => void batched[what]())
    else if (step.do === 'render') {
      if (isHidden && boundary === 'Suspense') continue
      await stage.render(<Box render={++render} options={step.options} />)
    } else if (what === 'hide' || what === 'show') {
      isHidden = what === 'hide'
      await stage[what]()
    }
    await stage.advance(0)
  }
  await stage.unmount()
  await stage.advance(0)
  expect([batched!.size, stage.clock.pending]).toEqual([0, 0])
  return log
}

describe.each(modes.flatMap((mode) => boundaries.map((boundary) => [mode, boundary] as const)))(
  'useBatch, %s, in %s',
  (mode, boundary) => {
    const policy = policyIn(mode, boundary)

    it('sends what the core sends, whatever becomes of the component', { timeout: 60_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(optionsIn(policy), stepsIn(policy), async (first, script) => {
          expect(await play(mode, boundary, first, script)).toEqual(await model(boundary, first, script))
        }),
        { numRuns: 100, seed: 1 },
      )
    })
  },
)
