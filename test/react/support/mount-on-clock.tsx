import { act } from '@testing-library/react'
import { ClockProvider } from 'lull'
import { createManualClock, type ManualClock } from 'lull/testing'
import { Activity, StrictMode, Suspense, use, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'

/** StrictMode stands above the root's first component: below it React would not run the effects of a mount twice. */
export const modes = ['plain', 'StrictMode'] as const
export type Mode = (typeof modes)[number]

/** What hides the component: a prop of `<Activity>`, or something beside it that suspends. */
export const boundaries = ['Activity', 'Suspense'] as const
export type Boundary = (typeof boundaries)[number]

/**
 * In StrictMode React unmounts, and mounts again, what comes back from behind a fallback: 'flush' makes then what is pending,
 * which without it would run when it is due.
 */
export function policyIn(mode: Mode, boundary: Boundary): { onUnmount?: 'cancel' } {
  return mode === 'StrictMode' && boundary === 'Suspense' ? { onUnmount: 'cancel' } : {}
}

export interface Stage {
  clock: ManualClock
  container: HTMLElement
  /** Shows `children`; with another key they are mounted anew. */
  render: (children: ReactNode, key?: number) => Promise<void>
  hide: () => Promise<void>
  show: () => Promise<void>
  unmount: () => Promise<void>
  advance: (ms: number) => Promise<void>
}

const unmounts = new Set<() => Promise<void>>()

async function unmountAll(): Promise<void> {
  for (const unmount of unmounts) await unmount()
}

function Awaiting({ promise }: { promise: Promise<void> | undefined }): ReactNode {
  if (promise) use(promise)
  return null
}

/** In a task of its own, with what that makes React do. */
export const inTask = (callback: () => unknown): Promise<void> =>
  act(async () => {
    callback()
    await Promise.resolve()
  })

/** A place to show components on a manual clock. */
export function createStage(
  mode: Mode = 'plain',
  boundary: Boundary = 'Activity',
  isHiddenFirst = false,
): Stage {
  const clock = createManualClock()
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  let shown: ReactNode
  let shownKey = 0
  let isHidden = isHiddenFirst
  let promise: Promise<void> | undefined
  let resolve: (() => void) | undefined

  function update(): Promise<void> {
    const stage = (
      <ClockProvider clock={clock}>
        {boundary === 'Activity' ? (
          <Activity key={shownKey} mode={isHidden ? 'hidden' : 'visible'}>
            {shown}
          </Activity>
        ) : (
          <Suspense key={shownKey} fallback="waiting">
            {shown}
            <Awaiting promise={promise} />
          </Suspense>
        )}
      </ClockProvider>
    )
    return inTask(() => root.render(mode === 'plain' ? stage : <StrictMode>{stage}</StrictMode>))
  }

  const stage: Stage = {
    clock,
    container,
    render(children, key = shownKey) {
      shown = children
      shownKey = key
      return update()
    },
    hide() {
      isHidden = true
      promise ??= new Promise((settle) => (resolve = settle))
      return update()
    },
    async show() {
      isHidden = false
      if (boundary === 'Suspense') await inTask(() => resolve?.())
      promise = undefined
      await update()
    },
    async unmount() {
      unmounts.delete(stage.unmount)
      await inTask(() => root.unmount())
      container.remove()
    },
    advance: (ms) => act(() => clock.advanceAsync(ms)),
  }
  if (unmounts.size === 0) onTestFinished(unmountAll)
  unmounts.add(stage.unmount)
  return stage
}
