import { act } from '@testing-library/react'
import { ClockProvider, createCondition, type Condition } from 'lull'
import type { Clock } from 'lull/core'
import { Activity, StrictMode, useInsertionEffect, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'

/** Runs `callback` in React's `act`. */
export const around = (callback: () => void | Promise<void>): Promise<void> =>
  act(async () => {
    await callback()
  })

/** A component that does nothing but call a hook. */
export interface Stage<Props, Result> {
  /** What the hook returned in the last commit. */
  readonly result: Result
  /** The number of the last committed render, by which its callbacks are identified. */
  readonly render: number
  /** Renders it with `props`, and shows it if it was hidden. */
  show: (props: Props) => void
  /** Hides it, as an Activity does. */
  hide: () => void
  unmount: () => void
}

/**
 * These functions return after React has committed and run the effects, also inside a callback, but not
 * inside an effect. They rethrow errors of effects; nothing is mounted then until `show`.
 *
 * @param hook receives the number of the render.
 */
export function createStage<Props, Result>(
  clock: Clock,
  isStrict: boolean,
  hook: (props: Props, render: number) => Result,
  first: Props,
): Stage<Props, Result> {
  const root = createRoot(document.createElement('div'))
  let renders = 0
  let committed: { result: Result; render: number }
  let content: ReactNode

  function Box({ props, render }: { props: Props; render: number }): ReactNode {
    const result = hook(props, render)
    useInsertionEffect(() => {
      committed = { result, render }
    })
    return null
  }

  function commit(isHidden: boolean): void {
    const stage = (
      <ClockProvider clock={clock}>
        <Activity mode={isHidden ? 'hidden' : 'visible'}>{content}</Activity>
      </ClockProvider>
    )
    act(() => flushSync(() => root.render(isStrict ? <StrictMode>{stage}</StrictMode> : stage)))
  }

  function show(props: Props): void {
    content = <Box props={props} render={++renders} />
    commit(false)
  }

  show(first)
  return {
    get result() {
      return committed.result
    },
    get render() {
      return committed.render
    },
    show,
    hide: () => commit(true),
    unmount: () => act(() => root.unmount()),
  }
}

/** A condition that `set` turns on and off. */
export function createSwitch(): Condition & { set: (isOn: boolean) => void } {
  const listeners = new Set<() => void>()
  let isOnNow = false
  const condition = createCondition({
    isOn: () => isOnNow,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  })
  return Object.assign(condition, {
    set(isOn: boolean) {
      isOnNow = isOn
      for (const listener of [...listeners]) listener()
    },
  })
}

/** Dispatches `pagehide`; passes errors given to `reportError` meanwhile to `hear`. */
export function leavePage(hear: (error: unknown) => void): void {
  // jsdom has no reportError.
  Object.assign(globalThis, { reportError: hear })
  try {
    dispatchEvent(new Event('pagehide'))
  } finally {
    Reflect.deleteProperty(globalThis, 'reportError')
  }
}
