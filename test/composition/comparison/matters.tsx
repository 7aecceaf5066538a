import { act, render, renderHook } from '@testing-library/react'
import { Activity, startTransition, Suspense, use, useLayoutEffect, useState, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { vi } from 'vitest'
import type { Callback, Held, Library, Timing } from './libraries.ts'

/** Runs a script with a library and returns the result, or `none` if the library lacks the feature. */
type Matter = (library: Library) => string | Promise<string>

const none = '–'
const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')
const listOf = (names: Record<string, boolean>): string =>
  Object.keys(names)
    .filter((name) => names[name])
    .join(', ') || 'none'

const nothing = (): void => undefined

function timersSet(act: () => void): number {
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  act()
  const { length } = setTimer.mock.calls
  setTimer.mockRestore()
  return length
}

/** Limits a script to libraries that return a debounced function. */
const ofFunctions =
  (ask: Matter): Matter =>
  (library) =>
    library.isOnChange ? none : ask(library)

const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

interface Setting {
  wait?: number
  timing?: Timing
  isStrict?: boolean
  /** Passes the same callback and options on each render. */
  isStable?: boolean
  wrapper?: (props: { children: ReactNode }) => ReactNode
}

/** Mounts a hook, waits until the effects of the mount have finished, and notes the instant of each run from then on. */
function mount(
  useHeld: (fn: Callback, wait: number, timing: Timing) => Held,
  { wait = 100, timing = {}, isStrict = false, isStable = false, wrapper }: Setting = {},
) {
  let start = 0
  const runs: number[] = []
  const fn: Callback = () => runs.push(performance.now() - start)
  const { result, rerender, unmount } = renderHook(
    (props: { fn: Callback; wait: number }) =>
      isStable
        ? useHeld(props.fn, props.wait, timing)
        : useHeld((...args) => props.fn(...args), props.wait, { ...timing }),
    { initialProps: { fn, wait }, reactStrictMode: isStrict, ...(wrapper && { wrapper }) },
  )
  pass(1000)
  start = performance.now()
  return {
    runs,
    call: () => act(() => void result.current.call()),
    held: () => result.current,
    /** By default with the same callback and wait. */
    rerender: (others: { fn?: Callback; wait?: number } = {}) => rerender({ fn, wait, ...others }),
    unmount,
  }
}

const runsAfterBurst =
  (isStable: boolean): Matter =>
  ({ useDebounced }) => {
    const { call, rerender, runs } = mount(useDebounced, { isStable })
    for (let i = 0; i < 3; i++) {
      call()
      rerender()
      pass(10)
    }
    pass(1000)
    return String(runs.length)
  }

/** Run only with libraries that have hooks. */
const mattersInReact: Record<string, Matter> = {
  'Runs after three quick calls, with a render after each': runsAfterBurst(false),
  'The same, if callback and options are the same in each render': runsAfterBurst(true),
  'Runs the callback of the last render'({ useDebounced }) {
    const last = vi.fn()
    const { call, rerender, runs } = mount(useDebounced)
    call()
    pass(50)
    rerender({ fn: last })
    pass(1000)
    return yesOrNo(runs.length === 0 && last.mock.calls.length === 1)
  },
  /** Starts a transition to 'b' that never commits, and checks whose callback runs. */
  async 'Never runs the callback of a render that React threw away'({ useDebounced }) {
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
  },
  'Returns the same function in each render': ofFunctions(({ useDebounced }) => {
    const { held, rerender } = mount(useDebounced)
    const before = held().call
    rerender()
    return yesOrNo(held().call === before)
  }),
  'A shorter `wait` applies to a pending run'({ useDebounced }) {
    const { call, rerender, runs } = mount(useDebounced, { wait: 1000 })
    call()
    rerender({ wait: 100 })
    pass(100)
    return yesOrNo(runs.length === 1)
  },
  'Left over after an unmount with a pending run'({ useDebounced }) {
    const { call, unmount, runs } = mount(useDebounced)
    call()
    unmount()
    const timers = vi.getTimerCount()
    pass(1000)
    return runs.length ? 'the run' : timers ? 'a timer' : 'nothing'
  },
  'Works in StrictMode'({ useDebounced, useThrottled }) {
    function works(useHeld: typeof useDebounced): boolean {
      const { call, runs } = mount(useHeld, { isStrict: true })
      call()
      pass(100)
      return runs.length === 1
    }
    if (!works(useDebounced)) return 'no'
    return useThrottled && !works(useThrottled) ? 'not its throttle' : 'yes'
  },
  'After `<Activity>` hides and shows it with a pending run'({ useDebounced }) {
    let mode: 'visible' | 'hidden' = 'visible'
    const { call, rerender, runs } = mount(useDebounced, {
      wrapper: ({ children }) => <Activity mode={mode}>{children}</Activity>,
    })
    call()
    mode = 'hidden'
    rerender()
    pass(1000)
    if (runs.length) return 'runs while hidden'
    mode = 'visible'
    rerender()
    pass(1000)
    runs.length = 0
    call()
    pass(1000)
    return runs.length === 1 ? 'works' : 'never runs again'
  },
  'Renders on the server, and sets no timer'({ useDebounced }) {
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
  },
}

/** Changes the wall clock (`Date`) between the second of two calls and the run due 100 ms after it. */
const runsWhenSet =
  (byMs: number): Matter =>
  ({ useDebounced }) => {
    const { call, runs } = mount(useDebounced)
    call()
    pass(50)
    call()
    vi.setSystemTime(Date.now() + byMs)
    pass(1000)
    const earlyMs = 150 - runs[0]!
    return earlyMs === 0 ? 'on time' : `${earlyMs} ms early`
  }

export const matters: Record<string, Matter> = {
  ...Object.fromEntries(
    Object.entries(mattersInReact).map(([title, ask]): [string, Matter] => [
      title,
      (library) => (library.isWithoutHooks ? none : ask(library)),
    ]),
  ),
  'Passes on `this` and all arguments': ofFunctions(({ useDebounced }) => {
    const seen: unknown[] = []
    function note(this: unknown, ...args: unknown[]): void {
      seen.push(this, ...args)
    }
    const { result } = renderHook(() => useDebounced(note, 100, {}))
    const caller = {}
    result.current.call.call(caller, 1, 2)
    pass(100)
    return yesOrNo(seen[0] === caller && seen[1] === 1 && seen[2] === 2)
  }),
  'Members that work as documented'({ useDebounced }) {
    function holds(name: keyof Held, isSo: (held: () => Held, runs: number[]) => boolean): boolean {
      const { call, held, runs } = mount(useDebounced)
      if (!held()[name] || (name === 'isPending' && held().isPending!())) return false
      call()
      return isSo(held, runs)
    }
    return listOf({
      cancel: holds('cancel', (held, runs) => {
        held().cancel!()
        pass(1000)
        return runs.length === 0
      }),
      flush: holds('flush', (held, runs) => {
        held().flush!()
        pass(1000)
        return runs.join() === '0'
      }),
      isPending: holds('isPending', (held) => {
        const isPending = held().isPending!()
        pass(1000)
        return isPending && !held().isPending!()
      }),
    })
  },
  'Options that work as documented'({ useDebounced }) {
    /** The run times with a wait of 100 ms and five calls 50 ms apart. */
    function runsWith(timing: Timing): number[] {
      const { call, runs } = mount(useDebounced, { timing })
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
  },
  /** In lodash and use-debounce, an omitted wait means the next animation frame. */
  'Debounces to the next frame if `wait` is left out'({ useDebounced }) {
    const request = vi.spyOn(globalThis, 'requestAnimationFrame')
    try {
      const { call } = mount((fn, _, timing) => useDebounced(fn, undefined as unknown as number, timing))
      call()
      return yesOrNo(request.mock.calls.length > 0)
    } catch {
      return 'no'
    } finally {
      request.mockRestore()
    }
  },
  'A pending run, when the clock is set forward by an hour': runsWhenSet(3_600_000),
  'A pending run, when the clock is set back by an hour': runsWhenSet(-3_600_000),
  'Timers in the first second of a wait of 30 days'({ useDebounced }) {
    const { call, runs } = mount(useDebounced, { wait: 30 * 24 * 3_600_000 })
    const timers = timersSet(() => {
      call()
      pass(1000)
    })
    return runs.length ? 'runs at once' : timers.toLocaleString('en')
  },
  'Timers for a burst of 100 calls in 100 ms'({ useDebounced }) {
    const { call } = mount(useDebounced)
    const timers = timersSet(() => {
      for (let i = 0; i < 100; i++) {
        call()
        pass(1)
      }
      pass(1000)
    })
    return `${timers}`
  },
  /** Makes 500 calls, 0 to 199 ms apart. */
  'Shortest time between two runs of a throttle of 100 ms'({ useThrottled }) {
    if (!useThrottled) return none
    const { call, runs } = mount(useThrottled)
    let random = 1
    for (let i = 0; i < 500; i++) {
      call()
      random = (random * 16_807) % 2_147_483_647
      pass(random % 200)
    }
    pass(1000)
    return `${Math.min(...runs.slice(1).map((at, i) => at - runs[i]!))} ms`
  },
}
