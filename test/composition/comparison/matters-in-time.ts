import { renderHook } from '@testing-library/react'
import { vi } from 'vitest'
import type { Held, Library, Timing } from './libraries.ts'
import {
  listOf,
  none,
  nothing,
  ofFunctions,
  timersSet,
  yesOrNo,
  mount,
  pass,
  type Matter,
} from './matter.tsx'

function handsOnThis({ useDebounced }: Library): string {
  const seen: unknown[] = []
  function note(this: unknown, ...args: unknown[]): void {
    seen.push(this, ...args)
  }
  const { result } = renderHook(() => useDebounced(note, 100, {}))
  const caller = {}
  result.current.call.call(caller, 1, 2)
  pass(100)
  return yesOrNo(seen[0] === caller && seen[1] === 1 && seen[2] === 2)
}

function membersOf({ useDebounced }: Library): string {
  function holds(name: keyof Held, isSo: (held: () => Held, runs: () => number) => boolean): boolean {
    const fn = vi.fn()
    const { call, held } = mount(useDebounced, fn, 100)
    if (!held()[name] || (name === 'isPending' && held().isPending!())) return false
    call()
    return isSo(held, () => fn.mock.calls.length)
  }
  return listOf({
    cancel: holds('cancel', (held, runs) => {
      held().cancel!()
      pass(1000)
      return runs() === 0
    }),
    flush: holds('flush', (held, runs) => {
      held().flush!()
      const isAtOnce = runs() === 1
      pass(1000)
      return isAtOnce && runs() === 1
    }),
    isPending: holds('isPending', (held) => {
      const isPending = held().isPending!()
      pass(1000)
      return isPending && !held().isPending!()
    }),
  })
}

function optionsOf({ useDebounced }: Library): string {
  /** The run times with a wait of 100 ms and five calls 50 ms apart. */
  function runsWith(timing: Timing): number[] {
    const runs: number[] = []
    const { call } = mount(useDebounced, () => runs.push(performance.now() - start), 100, { timing })
    const start = performance.now()
    for (let i = 0; i < 5; i++) {
      call()
      pass(50)
    }
    pass(1000)
    return runs
  }
  return listOf({
    leading: runsWith({ leading: true })[0] === 0,
    trailing: runsWith({ leading: true, trailing: false }).join() === '0',
    maxWait: runsWith({ maxWait: 150 })[0] === 150,
  })
}

/** Changes the wall clock (`Date`) between the second of two calls and the run due 100 ms after it. */
function runsWhenSet(byMs: number): Matter {
  return ({ useDebounced }) => {
    const fn = vi.fn()
    const { call } = mount(useDebounced, fn, 100)
    call()
    pass(50)
    call()
    vi.setSystemTime(Date.now() + byMs)
    let after = 0
    while (!fn.mock.calls.length && after < 1000) {
      pass(1)
      after++
    }
    return after === 100 ? 'on time' : after < 100 ? `${100 - after} ms early` : 'late'
  }
}

function keepsLongWait({ useDebounced }: Library): string {
  const fn = vi.fn()
  const { call } = mount(useDebounced, fn, 30 * 24 * 3_600_000)
  const timers = timersSet(() => {
    call()
    pass(1000)
  })
  return fn.mock.calls.length ? 'runs at once' : timers.toLocaleString('en')
}

/** Makes 500 calls, 0 to 199 ms apart. */
function leastGap({ useThrottled }: Library): string {
  if (!useThrottled) return none
  const runs: number[] = []
  const { call } = mount(useThrottled, () => runs.push(performance.now()), 100)
  let random = 1
  for (let i = 0; i < 500; i++) {
    call()
    random = (random * 16_807) % 2_147_483_647
    pass(random % 200)
  }
  pass(1000)
  return `${Math.min(...runs.slice(1).map((at, i) => at - runs[i]!))} ms`
}

function timersInBurst({ useDebounced }: Library): string {
  const { call } = mount(useDebounced, nothing, 100)
  const timers = timersSet(() => {
    for (let i = 0; i < 100; i++) {
      call()
      pass(1)
    }
    pass(1000)
  })
  return `${timers}`
}

/** In lodash and use-debounce, an omitted wait means the next animation frame. */
function runsInFrame({ useDebounced }: Library): string {
  const request = vi.spyOn(globalThis, 'requestAnimationFrame')
  try {
    const { call } = mount(useDebounced, nothing, undefined as unknown as number)
    call()
    return yesOrNo(request.mock.calls.length > 0)
  } catch {
    return 'no'
  } finally {
    request.mockRestore()
  }
}

/** Also runs with functions outside React. */
export const mattersInTime: Record<string, Matter> = {
  'Passes on `this` and all arguments': ofFunctions(handsOnThis),
  'Members that work as documented': membersOf,
  'Options that work as documented': optionsOf,
  'Debounces to the next frame if `wait` is left out': runsInFrame,
  'A pending run, when the clock is set forward by an hour': runsWhenSet(3_600_000),
  'A pending run, when the clock is set back by an hour': runsWhenSet(-3_600_000),
  'Timers in the first second of a wait of 30 days': keepsLongWait,
  'Timers for a burst of 100 calls in 100 ms': timersInBurst,
  'Shortest time between two runs of a throttle of 100 ms': leastGap,
}
