// Runs one script with both hooks on one clock and compares runs, results and pending state.
import { act, cleanup, renderHook } from '@testing-library/react'
import fc from 'fast-check'
import { ClockProvider, useDebouncedCallback, useThrottledCallback } from 'lull'
import { createManualClock, type ManualClock } from 'lull/testing'
import type { ReactNode } from 'react'
import { useDebouncedCallback as useTheirs, useThrottledCallback as useTheirThrottle } from 'use-debounce'
import { expect, it, vi } from 'vitest'
import { edges, firstRunTooSoon, maxWaits, waits, type Entry } from '../../core/shared/scripts.ts'
import { createOneTimer } from '../../core/debounce/one-timer.ts'
import { type Of, scriptsOf } from '../../laws/steps.ts'
import { forAll } from '../../laws/tries.ts'

vi.setConfig({ testTimeout: 1_200_000 })

interface Options {
  wait: number
  leading: boolean
  trailing: boolean
  maxWait?: number
}
type Fn = (n: number) => string
interface Held {
  (n: number): string | undefined
  flush: () => string | undefined
  cancel: () => void
  isPending: () => boolean
}
type Hooks = [ours: (fn: Fn, options: Options) => Held, theirs: (fn: Fn, options: Options) => Held]

const debounces: Hooks = [
  (fn, { wait, ...rest }) => useDebouncedCallback(fn, wait, rest),
  (fn, { wait, ...rest }) => useTheirs(fn, wait, rest),
]
const throttles: Hooks = [
  (fn, { wait, leading, trailing }) => useThrottledCallback(fn, wait, { leading, trailing }),
  (fn, { wait, leading, trailing }) => useTheirThrottle(fn, wait, { leading, trailing }),
]

const options = fc.tuple(waits, maxWaits, edges).map(([wait, maxWait, edge]): Options => ({
  wait,
  ...edge,
  // use-debounce treats `maxWait: undefined` as 0.
  ...(maxWait !== undefined && { maxWait }),
}))
const scripts = scriptsOf(30, {
  call: 30,
  advance: [35, { ms: fc.oneof(fc.nat(30), fc.nat(250)) }],
  'flush cancel render': 16,
  change: [5, { options }],
  unmount: 1,
})

type Script = readonly Of<typeof scripts>[]

interface Log extends Entry {
  /** For a run: the number of the render whose callback ran. */
  render?: number
}

function play(hooks: Hooks, first: Options, script: Script, clock: ManualClock): [Log[], Log[]] {
  const logs: [Log[], Log[]] = [[], []]
  const start = clock.now()
  let current = { render: 0, options: first }

  const [useOurs, useTheir] = hooks
  const useBoth = ({ render, options }: typeof current): Held[] => {
    const fnOf =
      (log: Log[]): Fn =>
      (n) => {
        log.push({ what: 'run', at: clock.now() - start, n, render })
        return `result of ${n}`
      }
    return [useOurs(fnOf(logs[0]), options), useTheir(fnOf(logs[1]), options)]
  }
  const { result, rerender } = renderHook(useBoth, {
    initialProps: current,
    wrapper: ({ children }: { children: ReactNode }) => (
      <ClockProvider clock={clock}>{children}</ClockProvider>
    ),
  })

  let n = 0
  for (const step of script) {
    if (step.do === 'advance') act(() => clock.advance(step.ms))
    // In use-debounce, a flush after unmount still runs the pending call.
    else if (step.do === 'unmount') break
    else if (step.do === 'render' || step.do === 'change') {
      // Our pending call takes a new wait; theirs only a longer one. So finish pending calls first.
      if (step.do === 'change') act(() => clock.advance(300))
      current = { render: current.render + 1, options: step.do === 'change' ? step.options : current.options }
      rerender(current)
    } else {
      n++
      for (const [i, held] of result.current.entries()) {
        const note = (what: Entry['what'], result?: string): unknown =>
          logs[i]!.push({ what, at: clock.now() - start, result })
        if (step.do !== 'call') note(step.do)
        note('answer', (step.do === 'call' ? held(n) : held[step.do]()) ?? undefined)
        // use-debounce stays pending after an immediate run though nothing is due.
        const { leading, maxWait } = current.options
        if (hooks === debounces && !leading && maxWait === undefined)
          note('answer', `pending: ${held.isPending()}`)
      }
    }
  }
  if (script.every((step) => step.do !== 'unmount')) act(() => clock.advance(10_000))
  cleanup()
  clock.advance(10_000)
  expect(clock.pending).toBe(0)
  return logs
}

it.each<[string, Hooks, boolean]>([
  ['useDebouncedCallback', debounces, false],
  ['useThrottledCallback', throttles, true],
])('%s runs and returns the same as that of use-debounce', (_, hooks, isThrottle) => {
  const oneTimer = createOneTimer()
  vi.spyOn(Date, 'now').mockImplementation(oneTimer.now)
  vi.stubGlobal('setTimeout', oneTimer.setTimeout)
  vi.stubGlobal('clearTimeout', oneTimer.clearTimeout)
  let whole = 0
  let all = 0
  // Fewer runs: mounting and rendering cost a hundred times as much as a call.
  forAll(5000, options, scripts, (first, script) => {
    const clock = createManualClock(1000)
    oneTimer.use(clock)
    const [ours, theirs] = play(hooks, first, script, clock)
    const waits = [first, ...script.flatMap((step) => (step.do === 'change' ? [step.options] : []))]
    const hasMaxWait = isThrottle || waits.some(({ maxWait }) => maxWait !== undefined)
    const end = hasMaxWait ? firstRunTooSoon(theirs, Math.max(...waits.map(({ wait }) => wait))) : undefined
    all++
    if (end === undefined) whole++
    expect(ours.slice(0, end)).toEqual(theirs.slice(0, end))
  })
  expect(whole / all).toBeGreaterThan(0.7)
})
