import fc from 'fast-check'
import { useDebouncedCallback, useThrottledCallback, type DebouncedCallbackOptions } from 'lull'
import { debounce } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { createBusyClock } from '../../core/time/clocks.ts'
import { createOnClock, modes, onThatClock, renderHookOn } from '../support/render-on-clock.tsx'

const booleans = [true, false]

const combinations = booleans.flatMap((leading) =>
  booleans.flatMap((trailing) =>
    [undefined, 150].map((maxWait) => ({
      leading,
      trailing,
      maxWait,
      name: `leading ${leading}, trailing ${trailing}, maxWait ${maxWait ?? 'none'}`,
    })),
  ),
)

type Step = { do: 'call' | 'flush' | 'cancel' | 'render' } | { do: 'advance'; ms: number }

const scripts: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Step>({ do: 'call' }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.nat({ max: 130 }) }) },
    { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'flush' }, { do: 'cancel' }) },
    { weight: 2, arbitrary: fc.constant<Step>({ do: 'render' }) },
  ),
  { maxLength: 30 },
)

type Run = [n: number, at: number]

function playHook(mode: (typeof modes)[number], script: Step[], options: DebouncedCallbackOptions): Run[] {
  const onClock = createOnClock(mode)
  const runs: Run[] = []
  const { result, rerender, unmount } = renderHookOn(
    onClock,
    () => useDebouncedCallback((n: number) => runs.push([n, onClock.clock.now()]), 100, { ...options }),
    undefined,
  )
  for (const [n, step] of script.entries())
    if (step.do === 'render') rerender(undefined)
    else if (step.do === 'call') result.current(n)
    else if (step.do === 'advance') onClock.clock.advance(step.ms)
    else result.current[step.do]()
  onClock.clock.advance(1000)
  unmount()
  expect(onClock.clock.pending).toBe(0)
  return runs
}

function playCore(script: Step[], options: DebouncedCallbackOptions): Run[] {
  const clock = createManualClock()
  const runs: Run[] = []
  const { leading, trailing, maxWait } = options
  const debounced = debounce((n: number) => runs.push([n, clock.now()]), 100, {
    leading,
    trailing,
    maxWait,
    clock,
  })
  for (const [n, step] of script.entries())
    if (step.do === 'call') debounced(n)
    else if (step.do === 'advance') clock.advance(step.ms)
    else if (step.do !== 'render') debounced[step.do]()
  clock.advance(1000)
  return runs
}

describe.each(modes)('leading, trailing and maxWait, %s', (mode) => {
  it.each(combinations)('$name: runs as the core does, whenever it renders', (options) => {
    fc.assert(
      fc.property(scripts, (script) => {
        expect(playHook(mode, script, options)).toEqual(playCore(script, options))
      }),
      { numRuns: 25, seed: 13 },
    )
  })

  it.each(combinations)('$name: flush makes no run again that was made', (options) => {
    const onClock = createOnClock(mode)
    const runs: string[] = []
    const { result } = renderHookOn(
      onClock,
      () => useDebouncedCallback((text: string) => runs.push(text), 100, options),
      undefined,
    )
    result.current('first')
    result.current('last')
    onClock.advance(50)
    result.current.flush()
    const made = [...runs]
    result.current.flush()
    onClock.advance(1000)
    result.current.flush()
    expect(runs).toEqual(made)
    expect(new Set(runs).size).toBe(runs.length)
  })

  it.each([
    ['useDebouncedCallback', [['3rd', 350]]],
    [
      'useThrottledCallback',
      [
        ['1st', 0],
        ['3rd', 250],
      ],
    ],
  ] as const)('%s keeps the last call where the main thread is blocked beyond the wait', (name, expected) => {
    const { clock, advance, block } = createBusyClock()
    const runs: [text: string, at: number][] = []
    const run = (text: string): void => void runs.push([text, clock.now()])
    const { result, unmount } = renderHookOn(
      onThatClock(mode, clock),
      () => ({
        useDebouncedCallback: useDebouncedCallback(run, 100),
        useThrottledCallback: useThrottledCallback(run, 100),
      }),
      undefined,
    )
    const held = result.current[name]
    held('1st')
    advance(50)
    held('2nd')
    block(200)
    held('3rd')
    advance(1000)
    expect(runs).toEqual(expected)
    unmount()
  })
})
