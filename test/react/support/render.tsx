// The renderer of all hook suites. It works with any React version of the projects.
import { ClockProvider } from 'lull'
import type { Clock } from 'lull/core'
import type { ManualClock } from 'lull/testing'
import { act, Activity, lazy, StrictMode, Suspense, useEffect, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'
import { createTestClock } from '../../core/time/clocks.ts'

/** StrictMode wraps the root: further down, React 19 does not run mount effects twice. */
export const modes = ['plain', 'StrictMode'] as const
export type Mode = (typeof modes)[number]

/** What hides the component: a prop of `<Activity>`, or a sibling that suspends. */
export const boundaries = ['Activity', 'Suspense'] as const
export type Boundary = (typeof boundaries)[number]

/** StrictMode remounts a component back from a fallback: 'flush' would then run pending calls early. */
export function policyIn(mode: Mode, boundary: Boundary): { onUnmount?: 'cancel' } {
  return mode === 'StrictMode' && boundary === 'Suspense' ? { onUnmount: 'cancel' } : {}
}

interface Rendering {
  mode: Mode
  wrapper: (props: { children: ReactNode }) => ReactNode
}

/** Runs the callback in its own task, with React's resulting work. */
export const inTask = (callback: () => unknown): Promise<void> =>
  act(async () => {
    callback()
    await Promise.resolve()
  })

const unmounts = new Set<() => void>()

export function unmountAll(): void {
  for (const unmount of unmounts) unmount()
}

let isEndAwaited = false

function unmountAtEnd(): void {
  if (isEndAwaited) return
  isEndAwaited = true
  onTestFinished(() => {
    isEndAwaited = false
    unmountAll()
  })
}

function createPlace(mode: Mode) {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  function unmount(): void {
    unmounts.delete(unmount)
    act(() => root.unmount())
    container.remove()
  }
  unmountAtEnd()
  unmounts.add(unmount)
  return {
    container,
    show: (page: ReactNode) => root.render(mode === 'plain' ? page : <StrictMode>{page}</StrictMode>),
    unmount,
  }
}

/** A test clock that is checked when the test ends, before its components are unmounted. */
function createClock(): ManualClock {
  // The last callback runs first.
  unmountAtEnd()
  return createTestClock()
}

/** Gives all hooks below `wrapper` a separate clock. */
export const onThatClock = (mode: Mode, clock: Clock): Rendering => ({
  mode,
  wrapper: ({ children }) => <ClockProvider clock={clock}>{children}</ClockProvider>,
})

/** Like `onThatClock`, with a manual clock, which is advanced inside `act`. */
export function createOnClock(mode: Mode = 'plain') {
  const clock = createClock()
  return {
    ...onThatClock(mode, clock),
    clock,
    advance: (ms: number) => act(() => clock.advance(ms)),
    advanceAsync: (ms: number) => act(() => clock.advanceAsync(ms)),
  }
}

/** Returns the members of `rendering`, too. */
export function renderOn<Given extends Rendering>(rendering: Given, element: ReactNode) {
  const { wrapper: Wrapper } = rendering
  const { container, show, unmount } = createPlace(rendering.mode)
  const rerender = (next: ReactNode): void => act(() => show(<Wrapper>{next}</Wrapper>))
  rerender(element)
  return { ...rendering, container, rerender, unmount }
}

export function renderHookOn<Result, Props, Given extends Rendering = Rendering>(
  rendering: Given,
  useHook: (props: Props) => Result,
  initialProps?: Props,
) {
  let current: Result
  function Box({ props }: { props: Props }): ReactNode {
    const result = useHook(props)
    useEffect(() => {
      current = result
    })
    return null
  }
  const { rerender, ...rendered } = renderOn(rendering, <Box props={initialProps as Props} />)
  return {
    ...rendered,
    result: {
      get current() {
        return current
      },
    },
    rerender: (props: Props) => rerender(<Box props={props} />),
  }
}

/** A lazy component that suspends until `arrive`. */
function createLate() {
  let resolve: (module: { default: () => null }) => void
  const module = new Promise<{ default: () => null }>((settle) => (resolve = settle))
  return { Late: lazy(() => module), arrive: () => resolve({ default: () => null }) }
}

/** A root on a manual clock that can hide its components and show them again. */
export function createStage(mode: Mode = 'plain', boundary?: Boundary, isHidden = false) {
  const clock = createClock()
  const { container, show, unmount } = createPlace(mode)
  let shown: ReactNode
  let shownKey = 0
  let late = isHidden ? createLate() : undefined

  function hold(): ReactNode {
    if (boundary === 'Suspense')
      return (
        <Suspense key={shownKey} fallback="waiting">
          {shown}
          {late && <late.Late />}
        </Suspense>
      )
    return (
      <Activity key={shownKey} mode={late ? 'hidden' : 'visible'}>
        {shown}
      </Activity>
    )
  }
  const update = (): Promise<void> =>
    inTask(() => show(<ClockProvider clock={clock}>{hold()}</ClockProvider>))

  return {
    clock,
    container,
    /** Shows `children`; another key remounts them. */
    render: (children: ReactNode, key = shownKey) => {
      shown = children
      shownKey = key
      return update()
    },
    hide: () => {
      late ??= createLate()
      return update()
    },
    show: async () => {
      if (boundary === 'Suspense') await inTask(() => late?.arrive())
      late = undefined
      await update()
    },
    unmount: async () => {
      unmount()
      await inTask(() => undefined)
    },
    advance: (ms: number) => act(() => clock.advanceAsync(ms)),
  }
}
