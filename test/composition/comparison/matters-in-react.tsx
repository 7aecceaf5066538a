import { act, render } from '@testing-library/react'
import { Activity, startTransition, Suspense, use, useLayoutEffect, useState, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { vi } from 'vitest'
import type { Callback, Library } from './libraries.ts'
import { none, nothing, ofFunctions, timersSet, yesOrNo, mount, pass, type Matter } from './matter.tsx'

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

/** Starts a transition to 'b' that never commits, and checks whose callback runs. */
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

/** Runs only with libraries that have hooks. */
export const mattersInReact: Record<string, Matter> = Object.fromEntries(
  Object.entries<Matter>({
    'Runs after three quick calls, with a render after each': runsAfterBurst(false),
    'The same, if callback and options are the same in each render': runsAfterBurst(true),
    'Runs the callback of the last render': runsLatest,
    'Never runs the callback of a render that React threw away': runsOnlyCommitted,
    'Returns the same function in each render': ofFunctions(keepsFunction),
    'A shorter `wait` applies to a pending run': followsWait,
    'Left over after an unmount with a pending run': leftByUnmount,
    'Works in StrictMode': worksInStrictMode,
    'After `<Activity>` hides and shows it with a pending run': survivesHiding,
    'Renders on the server, and sets no timer': rendersOnServer,
  }).map(([title, ask]) => [title, (library) => (library.hasHooks ? ask(library) : none)]),
)
