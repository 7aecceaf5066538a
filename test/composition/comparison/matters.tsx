import { act, render, renderHook } from '@testing-library/react'
import { Activity, startTransition, Suspense, use, useLayoutEffect, useState, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { vi } from 'vitest'
import type { Callback, Held, Library, Timing } from './libraries.ts'
import { mount, pass } from './mount.tsx'

/** What is asked of a library. It may be asked of one that cannot answer, whose cell is `none`. */
type Matter = (library: Library) => string | Promise<string>

const none = '–'
const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')
const listOf = (names: Record<string, boolean>): string =>
  Object.keys(names)
    .filter((name) => names[name])
    .join(', ') || 'none'

const ofHooks =
  (ask: Matter): Matter =>
  (library) =>
    library.hasHooks ? ask(library) : none

const ofFunctions =
  (ask: Matter): Matter =>
  (library) =>
    library.handsOut ? ask(library) : none

const nothing = (): void => undefined

/** How many timers `act` sets. */
function timersSet(act: () => void): number {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  act()
  const { length } = setTimer.mock.calls
  setTimer.mockRestore()
  return length
}

function runsAfterBurst(isStable: boolean): Matter {
  return ({ useDebounced }) => {
    const fn = vi.fn()
    const { call, rerender } = mount(useDebounced, fn, 100, { isStable })
    for (const text of ['a', 'ab', 'abc']) {
      call(text)
      rerender()
      pass(10)
    }
    pass(1000)
    return String(fn.mock.calls.length)
  }
}

function runsLatest({ useDebounced }: Library): string {
  const [first, last] = [vi.fn(), vi.fn()]
  const { call, rerender } = mount(useDebounced, first, 100)
  call()
  pass(50)
  rerender(last)
  pass(1000)
  return yesOrNo(first.mock.calls.length === 0 && last.mock.calls.length === 1)
}

/** A transition to 'b' that never comes to its commit: whose callback runs then? */
async function runsOnlyCommitted({ useDebounced }: Library): Promise<string> {
  const never = new Promise<never>(() => undefined)
  const ran: string[] = []
  let call: Callback = nothing
  let setText: (text: string) => void = nothing
  const Stuck = (): never => use(never)
  function Part({ text }: { text: string }): ReactNode {
    const held = useDebounced(() => ran.push(text), 100, {})
    useLayoutEffect(() => void (call = held.call))
    return null
  }
  function Page(): ReactNode {
    const [text, set] = useState('a')
    useLayoutEffect(() => void (setText = set), [])
    return (
      <Suspense>
        <Part text={text} />
        {text === 'b' && <Stuck />}
      </Suspense>
    )
  }
  render(<Page />)
  pass(1000)
  act(() => void call())
  await act(async () => {
    startTransition(() => setText('b'))
    await Promise.resolve()
  })
  pass(1000)
  return yesOrNo(ran.join() === 'a')
}

function keepsFunction({ useDebounced }: Library): string {
  const { held, rerender } = mount(useDebounced, nothing, 100)
  const before = held().call
  rerender()
  return yesOrNo(held().call === before)
}

function followsWait({ useDebounced }: Library): string {
  const fn = vi.fn()
  const { call, rerender } = mount(useDebounced, fn, 1000)
  call()
  rerender(fn, 100)
  pass(100)
  return yesOrNo(fn.mock.calls.length === 1)
}

function leftByUnmount({ useDebounced }: Library): string {
  const fn = vi.fn()
  const { call, unmount } = mount(useDebounced, fn, 100)
  call()
  unmount()
  const timers = vi.getTimerCount()
  pass(1000)
  return fn.mock.calls.length ? 'the run' : timers ? 'a timer' : 'nothing'
}

function worksInStrictMode({ useDebounced, useThrottled }: Library): string {
  function works(useIt: typeof useDebounced): boolean {
    const fn = vi.fn()
    const { call } = mount(useIt, fn, 100, { isStrict: true })
    call()
    pass(100)
    return fn.mock.calls.length === 1
  }
  if (!works(useDebounced)) return 'no'
  return useThrottled && !works(useThrottled) ? 'not its throttle' : 'yes'
}

function survivesHiding({ useDebounced }: Library): string {
  let mode: 'visible' | 'hidden' = 'visible'
  const fn = vi.fn()
  const { call, rerender } = mount(useDebounced, fn, 100, {
    wrapper: ({ children }) => <Activity mode={mode}>{children}</Activity>,
  })
  call()
  mode = 'hidden'
  rerender()
  pass(1000)
  if (fn.mock.calls.length) return 'runs while hidden'
  mode = 'visible'
  rerender()
  pass(1000)
  fn.mockClear()
  call()
  pass(1000)
  return fn.mock.calls.length === 1 ? 'works' : 'never runs again'
}

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
  /** When a call each 50 ms, five times, is run at a wait of 100. */
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

/** A run is due 100 ms after the second of two calls. Meanwhile the clock on the wall, that is `Date`, is set. */
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

/** 500 calls, 0 to 199 ms apart. */
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

function rendersOnServer({ useDebounced }: Library): string {
  function Part(): ReactNode {
    useDebounced(nothing, 100, { maxWait: 200 })
    return 'shown'
  }
  vi.stubGlobal('window', undefined)
  vi.stubGlobal('document', undefined)
  try {
    let text = ''
    const timers = timersSet(() => (text = renderToString(<Part />)))
    return yesOrNo(text === 'shown' && timers === 0)
  } finally {
    vi.unstubAllGlobals()
  }
}

/** In lodash and in use-debounce a wait that is left out is the next frame. */
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

/** Where others are as good or better, that is asked too. */
export const matters: Record<string, Matter> = {
  'Runs of a burst of three calls, each with a render after it': ofHooks(runsAfterBurst(false)),
  'The same, if callback and options are the same in each render': ofHooks(runsAfterBurst(true)),
  'Runs the callback of the last render': ofHooks(runsLatest),
  'Never runs the callback of a render that React threw away': ofHooks(runsOnlyCommitted),
  'Hands out the same function in each render': ofHooks(ofFunctions(keepsFunction)),
  'A shorter `wait` holds for what is pending': ofHooks(followsWait),
  'Left by an unmount while a run is pending': ofHooks(leftByUnmount),
  'Works in StrictMode': ofHooks(worksInStrictMode),
  'Hidden by `Activity` while a run is pending, then shown': ofHooks(survivesHiding),
  'Renders on the server, and sets no timer': ofHooks(rendersOnServer),
  'Hands on `this` and all arguments': ofFunctions(handsOnThis),
  'Members that do what they say': membersOf,
  'Options that do what they say': optionsOf,
  'Debounces to the next frame if `wait` is left out': runsInFrame,
  'A pending run, when the clock is set forward by an hour': runsWhenSet(3_600_000),
  'A pending run, when the clock is set back by an hour': runsWhenSet(-3_600_000),
  'Timers in the first second of a wait of 30 days': keepsLongWait,
  'Timers for a burst of 100 calls in 100 ms': timersInBurst,
  'Least time between two runs of a throttle of 100 ms': leastGap,
}
