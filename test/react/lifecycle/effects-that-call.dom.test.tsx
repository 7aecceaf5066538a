import { useDebouncedCallback, type DebouncedCallbackOptions } from 'lull'
import { useEffect, useInsertionEffect, useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createStage, modes, type Mode } from '../support/render-on-clock.tsx'

const effects = { useInsertionEffect, useLayoutEffect, useEffect }
type Effect = keyof typeof effects
const callers = ['itself', 'a child'] as const
type Caller = (typeof callers)[number]

/** A component that calls from an effect, its own or a child's; with `isLeaving`, only from the cleanup. */
function createCaller(mode: Mode, effect: Effect, caller: Caller, options: DebouncedCallbackOptions = {}) {
  const runs = vi.fn<(render: number) => void>()
  const state = { isLeaving: false }
  const useItsEffect = effects[effect]
  function useCall(call: () => void, n: number, isCaller: boolean): void {
    useItsEffect(() => {
      if (isCaller) call()
      return () => {
        if (isCaller && state.isLeaving) call()
      }
    }, [call, n, isCaller])
  }
  interface Props {
    n: number
    call: () => void
  }
  function Child({ call, n }: Props): ReactNode {
    useCall(call, n, caller === 'a child')
    return null
  }
  function Parent({ n }: { n: number }): ReactNode {
    const debounced = useDebouncedCallback(() => runs(n), 100, options)
    useCall(debounced, n, caller === 'itself')
    return <Child n={n} call={debounced} />
  }
  return { ...createStage(mode), runs, state, Parent }
}

describe.each(modes)('a call from an effect, %s', (mode) => {
  // In StrictMode React remounts a new component: 'flush' then runs the call of the first effect.
  const policies = mode === 'plain' ? (['cancel', 'flush'] as const) : (['cancel'] as const)
  const each = (Object.keys(effects) as Effect[]).flatMap((effect) =>
    callers.flatMap((caller) => policies.map((onUnmount) => [effect, caller, onUnmount] as const)),
  )

  it.each(each)(
    'on mount and in a later commit, from %s of %s, runs the callback of that commit once, with onUnmount %s',
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

  it.each(callers)(
    'in a later commit, from useLayoutEffect of %s, runs its callback at once',
    async (caller) => {
      const { render, advance, runs, Parent } = createCaller(mode, 'useLayoutEffect', caller, {
        leading: true,
      })
      await render(<Parent n={0} />)
      await advance(1000)
      runs.mockClear()
      await render(<Parent n={1} />)
      expect(runs.mock.calls).toEqual([[1]])
    },
  )

  it.each([
    ['useLayoutEffect', 'itself'],
    ['useEffect', 'itself'],
    ['useEffect', 'a child'],
  ] as const)('on being shown again, from %s of %s, runs once', async (effect, caller) => {
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
      const options = { leading: true, onUnmount: 'flush' } as const
      const caller = createCaller(mode, effect, 'a child', options)
      const { render, advance, unmount, clock, runs, state, Parent } = caller
      await render(<Parent n={0} />)
      await advance(1000)
      runs.mockClear()
      state.isLeaving = true
      await unmount()
      await advance(1000)
      expect([runs.mock.calls, clock.pending]).toEqual([[], 0])
    },
  )
})
