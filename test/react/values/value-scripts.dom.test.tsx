import fc from 'fast-check'
import { useDebounce, useThrottle } from 'lull'
import { debounce } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { boundaries, createStage, modes, type Boundary, type Mode } from '../support/mount-on-clock.tsx'

interface Timing {
  leading: boolean
  maxWait: number | undefined
}
type Hook = 'useDebounce' | 'useThrottle'
type Step = { do: 'render'; value: number } | { do: 'advance'; by: number } | { do: 'hide' | 'show' }

const WAIT = 50

const timings: fc.Arbitrary<Timing> = fc.record({
  leading: fc.boolean(),
  maxWait: fc.constantFrom(undefined, 80, 200),
})
const steps = fc.array<Step>(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('render' as const),
        value: fc.nat(2),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('advance' as const),
        by: fc.constantFrom(1, 20, 40, 50),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constantFrom('hide' as const, 'show' as const),
      }),
    },
  ),
  { maxLength: 40 },
)

/** What is shown after each step; nothing while it is hidden. */
function model(
  hook: Hook,
  boundary: Boundary,
  timing: Timing,
  script: readonly Step[],
): (number | undefined)[] {
  const clock = createManualClock()
  const options = hook === 'useThrottle' ? { leading: timing.leading, maxWait: WAIT } : timing
  let shown = 0
  let asked = 0
  let value = 0
  let isHidden = false
  const held = debounce((next: number) => (shown = next), WAIT, {
    ...options,
    clock,
  })

  return script.map((step) => {
    if (step.do === 'advance') clock.advance(step.by)
    else if (step.do === 'render') value = boundary === 'Suspense' && isHidden ? value : step.value
    else {
      isHidden = step.do === 'hide'
      if (isHidden && boundary === 'Activity') held.cancel()
    }
    const isAway = isHidden && boundary === 'Activity'
    if (!isAway && value !== (held.isPending() ? asked : shown)) held((asked = value))
    return isHidden ? undefined : shown
  })
}

async function play(
  [hook, mode, boundary, isLiteral]: readonly [Hook, Mode, Boundary, boolean],
  timing: Timing,
  script: readonly Step[],
): Promise<(number | undefined)[]> {
  const stage = createStage(mode, boundary)
  let isHidden = false
  let shown: number | readonly number[]
  let changes = 0

  function Box({ value }: { value: number }): ReactNode {
    const given = isLiteral ? [value] : value
    const options = hook === 'useThrottle' ? { leading: timing.leading } : timing
    const useHeld = hook === 'useThrottle' ? useThrottle : useDebounce
    const own = useHeld<number | number[]>(given, WAIT, options)
    useInsertionEffect(() => {
      shown = own
      changes++
    }, [own])
    return null
  }

  await stage.render(<Box value={0} />)
  const seen: (number | undefined)[] = []
  for (const step of script) {
    if (step.do === 'advance') await stage.advance(step.by)
    else if (step.do === 'render') {
      if (boundary === 'Activity' || !isHidden) await stage.render(<Box value={step.value} />)
    } else {
      isHidden = step.do === 'hide'
      await stage[step.do]()
    }
    seen.push(isHidden ? undefined : Number(shown!))
  }
  // A literal that is equal to the one shown does not take its place.
  if (!script.some(({ do: what }) => what === 'hide'))
    expect(changes).toBe(1 + seen.filter((value, i) => value !== (i > 0 ? seen[i - 1] : 0)).length)
  await stage.unmount()
  expect(stage.clock.pending).toBe(0)
  return seen
}

const cases = (['useDebounce', 'useThrottle'] as const).flatMap((hook) =>
  modes.flatMap((mode) =>
    boundaries.flatMap((boundary) =>
      [false, true].map((isLiteral) => [hook, mode, boundary, isLiteral] as const),
    ),
  ),
)

describe.each(cases)('%s, %s, in %s, of a literal made anew: %s', (...kind) => {
  it(
    'shows the value as the core would, whatever becomes of the component',
    { timeout: 60_000 },
    async () => {
      const [hook, , boundary] = kind
      await fc.assert(
        fc.asyncProperty(timings, steps, async (timing, script) => {
          expect(await play(kind, timing, script)).toEqual(model(hook, boundary, timing, script))
        }),
        { numRuns: 40, seed: 1 },
      )
    },
  )
})
