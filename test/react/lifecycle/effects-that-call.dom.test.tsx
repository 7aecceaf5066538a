import { useDebouncedCallback, type DebouncedCallbackOptions } from 'lull'
import { useEffect, useInsertionEffect, useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createStage, modes, type Mode } from '../support/render-on-clock.tsx'

const effects = { useInsertionEffect, useLayoutEffect, useEffect }
type Effect = keyof typeof effects
const callers = ['itself', 'a child'] as const

/** A component that calls from an effect, by itself or in a child; or from its cleanup, once `isLeaving`. */
function createCaller(
  mode: Mode,
  effect: Effect,
  caller: (typeof callers)[number],
  options?: DebouncedCallbackOptions,
) {
  const stage = createStage(mode)
  const runs = vi.fn<(render: number) => void>()
  const state = { isLeaving: false }
  const useItsEffect = effects[effect]
  function useCall(call: (() => void) | undefined, n: number, isCleanup: boolean): void {
    useItsEffect(() => {
      if (!isCleanup) call?.()
      return () => {
        if (isCleanup && state.isLeaving) call?.()
      }
    }, [call, n, isCleanup])
  }
  interface Props {
    n: number
    isCleanup?: boolean
  }
  function Child({ call, n, isCleanup = false }: Props & { call: () => void }): ReactNode {
    useCall(call, n, isCleanup)
    return null
  }
  function Parent({ n, isCleanup = false }: Props): ReactNode {
    const debounced = useDebouncedCallback(() => runs(n), 100, options)
    useCall(caller === 'itself' ? debounced : undefined, n, isCleanup)
    return caller === 'a child' && <Child n={n} call={debounced} isCleanup={isCleanup} />
  }
  return { ...stage, runs, state, Parent }
}

describe.each(modes)('a call from an effect, %s', (mode) => {
  // In StrictMode React unmounts and mounts again what was just mounted: 'flush' makes then what the first effect called.
  const policies = mode === 'plain' ? (['cancel', 'flush'] as const) : (['cancel'] as const)
  const each = (names: Effect[]) =>
    names.flatMap((effect) =>
      callers.flatMap((caller) => policies.map((onUnmount) => [effect, caller, onUnmount] as const)),
    )

  it.each(each(['useInsertionEffect', 'useLayoutEffect', 'useEffect']))(
    'on mount, and in a later commit, from %s of %s, makes one run, of the callback of that commit, with onUnmount %s',
    async (effect, caller, onUnmount) => {
      const { render, advance, unmount, clock, runs, Parent } = createCaller(mode, effect, caller, {
        onUnmount,
      })
      for (const n of [0, 1]) {
        await render(<Parent n={n} />)
        expect(runs).not.toHaveBeenCalled()
        await advance(1000)
        expect(runs.mock.calls).toEqual([[n]])
        runs.mockClear()
      }
      await unmount()
      expect([runs.mock.calls, clock.pending]).toEqual([[], 0])
    },
  )

  it.each([
    ['useLayoutEffect', 'itself'],
    ['useEffect', 'itself'],
    ['useEffect', 'a child'],
  ] as const)('when it is shown again, from %s of %s, makes one run', async (effect, caller) => {
    const { render, advance, hide, show, runs, Parent } = createCaller(mode, effect, caller)
    await render(<Parent n={0} />)
    await advance(1000)
    await hide()
    runs.mockClear()
    await show()
    await advance(1000)
    expect(runs).toHaveBeenCalledTimes(1)
  })

  it.each(['useLayoutEffect', 'useEffect'] as const)(
    'from the cleanup of %s of a child at unmount is ignored',
    async (effect) => {
      const { render, advance, unmount, clock, runs, state, Parent } = createCaller(mode, effect, 'a child', {
        leading: true,
        onUnmount: 'flush',
      })
      await render(<Parent n={0} isCleanup />)
      state.isLeaving = true
      await unmount()
      await advance(1000)
      expect([runs.mock.calls, clock.pending]).toEqual([[], 0])
    },
  )
})
