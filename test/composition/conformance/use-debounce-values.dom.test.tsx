// Both hooks in one component, on one clock, given the same values: the same is shown at each instant.
import { act, cleanup, renderHook } from '@testing-library/react'
import fc from 'fast-check'
import { ClockProvider, useDebounce } from 'lull'
import { createManualClock, type ManualClock } from 'lull/testing'
import type { ReactNode } from 'react'
import { useDebounce as useTheirs } from 'use-debounce'
import { expect, it, vi } from 'vitest'
import { maxWaits, waits } from '../../core/shared/scripts.ts'
import { stubTime } from './one-timer.ts'
import { tries } from '../../laws/tries.ts'

vi.setConfig({ testTimeout: 1_200_000 })

// They are mounted and rendered: a hundred times as long as a call.
const TRIES = tries(5000)

interface Options {
  leading: boolean
  maxWait?: number
}
/** Another value, which none before was, the same once more, or time. */
type Step = 'new' | 'same' | number

const options = fc
  .tuple(fc.boolean(), maxWaits)
  .map(([leading, maxWait]): Options => ({ leading, ...(maxWait !== undefined && { maxWait }) }))
const scripts = fc.array<Step>(
  fc.oneof(
    { weight: 5, arbitrary: fc.constant<Step>('new') },
    { weight: 1, arbitrary: fc.constant<Step>('same') },
    { weight: 4, arbitrary: fc.nat({ max: 30 }) },
    { weight: 2, arbitrary: fc.nat({ max: 250 }) },
  ),
  { maxLength: 30, size: 'max' },
)

type Shown = [at: number, value: number][]

/** What was shown from when on, by ours and by theirs. */
function play(wait: number, options: Options, script: readonly Step[], clock: ManualClock): [Shown, Shown] {
  const shown: [Shown, Shown] = [[], []]
  const { rerender } = renderHook(
    ({ value }) => {
      const values = [useDebounce(value, wait, options), useTheirs(value, wait, options)[0]]
      for (const [i, seen] of shown.entries())
        if (seen.at(-1)?.[1] !== values[i]) seen.push([clock.now(), values[i]!])
    },
    {
      initialProps: { value: 0 },
      wrapper: ({ children }: { children: ReactNode }) => (
        <ClockProvider clock={clock}>{children}</ClockProvider>
      ),
    },
  )
  // Step by step: what a timer sets is rendered when it is done, not at the end of a long wait.
  function pass(ms: number): void {
    for (let i = 0; i < ms; i++) act(() => clock.advance(1))
  }
  let value = 0
  for (const step of script) {
    if (typeof step === 'number') pass(step)
    else rerender({ value: step === 'new' ? ++value : value })
  }
  pass(300)
  cleanup()
  expect(clock.pending).toBe(0)
  return shown
}

/** Where a change stands that is closer than `wait` to the one before it: with a `maxWait` there may be one. */
function firstTooSoon(shown: Shown, wait: number): number | undefined {
  const index = shown.findIndex(([at], i) => i > 1 && at - shown[i - 1]![0] < wait)
  return index < 0 ? undefined : index
}

it('useDebounce shows, from when on, what that of use-debounce does', () => {
  const startOn = stubTime()
  let whole = 0
  let all = 0
  fc.assert(
    fc.property(waits, options, scripts, (wait, options, script) => {
      const clock = createManualClock(1000)
      startOn(clock)
      const [ours, theirs] = play(wait, options, script, clock)
      const end = options.maxWait === undefined ? undefined : firstTooSoon(theirs, wait)
      all++
      if (end === undefined) whole++
      expect(ours.slice(0, end)).toEqual(theirs.slice(0, end))
      expect(ours.at(-1)![1]).toBe(theirs.at(-1)![1])
    }),
    TRIES,
  )
  expect(all).toBe(TRIES.numRuns)
  expect(whole / all).toBeGreaterThan(0.7)
})
