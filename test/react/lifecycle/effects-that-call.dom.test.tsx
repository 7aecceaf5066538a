import { useDebouncedCallback } from 'lull'
import { useEffect, useInsertionEffect, useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { policied, stubSizes, WAIT, type Call, type Options, type Subject } from '../laws/subjects.tsx'
import { createStage, modes, type Mode } from '../support/render.tsx'

stubSizes()

const effects = { useInsertionEffect, useLayoutEffect, useEffect }
type Effect = keyof typeof effects
const callers = ['itself', 'a child'] as const
type Caller = (typeof callers)[number]

const all = (Object.keys(effects) as Effect[]).flatMap((effect) =>
  callers.map((caller) => ({ effect, caller })),
)

/** From where a component may call the hook. */
function placesOf({ name, isValue }: Subject): typeof all {
  // A listener is added in `useEffect`.
  if (/Event|Resize/.test(name)) return [{ effect: 'useEffect', caller: 'itself' }]
  // In an insertion effect no state may be set.
  return isValue || name.includes('Async') ? all.slice(callers.length) : all
}

interface Props {
  n: number
  call: Call
}

type Setting = Options & { useHeld?: Subject['useHeld']; isHidden?: boolean }

/** A component that calls from an effect, its own or a child's; with `isLeaving`, also from the cleanup. */
function createCaller(
  mode: Mode,
  effect: Effect,
  caller: Caller,
  { useHeld = useDebouncedCallback, isHidden = false, ...options }: Setting = {},
) {
  const runs = vi.fn<(render: number) => void>()
  const state = { isLeaving: false }
  const useItsEffect = effects[effect]
  function Child({ call, n }: Props): ReactNode {
    useItsEffect(() => {
      call(`${n}`)
      return () => {
        if (state.isLeaving) call('late')
      }
    }, [call, n])
    return null
  }
  const useCaller = caller === 'itself' ? Child : (props: Props) => <Child {...props} />
  function Parent({ n }: { n: number }): ReactNode {
    return useCaller({ n, call: useHeld(() => runs(n), WAIT, options) })
  }
  /** Shows render `n`, and waits until all its calls have run. */
  async function settle(n: number): Promise<void> {
    await stage.render(<Parent n={n} />)
    await stage.advance(1000)
    runs.mockClear()
  }
  const stage = createStage(mode, 'Activity', isHidden)
  return { ...stage, runs, state, Parent, settle }
}

describe.each(modes)('a call from an effect, %s', (mode) => {
  // In StrictMode React remounts a new component: 'flush' then runs the call of the first effect.
  const each = policied
    .filter(({ onUnmount }) => mode === 'plain' || onUnmount === 'cancel')
    .flatMap((one) => placesOf(one).map((place) => ({ ...one, ...place })))

  it.each(each)(
    '$name, $onUnmount: on mount and in a later commit, from $effect of $caller, runs the callback of that commit once',
    async ({ effect, caller, useHeld, onUnmount }) => {
      const { runs, Parent, ...stage } = createCaller(mode, effect, caller, { useHeld, onUnmount })
      for (const n of [0, 1]) {
        await stage.render(<Parent n={n} />)
        expect(runs).not.toHaveBeenCalled()
        await stage.advance(1000)
        expect(runs.mock.calls).toEqual([[n]])
        runs.mockClear()
      }
      await stage.unmount()
      expect([runs.mock.calls, stage.clock.pending]).toEqual([[], 0])
    },
  )

  it.each(callers)(
    'in a later commit, from useLayoutEffect of %s, runs its callback at once',
    async (caller) => {
      const { settle, render, runs, Parent, advance } = createCaller(mode, 'useLayoutEffect', caller, {
        leading: true,
      })
      await settle(0)
      await render(<Parent n={1} />)
      expect(runs.mock.calls).toEqual([[1]])
      await advance(100)
    },
  )

  it.each(callers)(
    'on being shown for the first time, after renders while hidden, from useLayoutEffect of %s, runs once',
    async (caller) => {
      const { render, show, advance, runs, Parent } = createCaller(mode, 'useLayoutEffect', caller, {
        isHidden: true,
      })
      for (const n of [0, 1]) await render(<Parent n={n} />)
      await show()
      await advance(1000)
      expect(runs.mock.calls).toEqual([[1]])
    },
  )

  it.each([
    ['useLayoutEffect', 'itself'],
    ['useEffect', 'itself'],
    ['useEffect', 'a child'],
  ] as const)('on being shown again, from %s of %s, runs once', async (effect, caller) => {
    const { settle, advance, hide, show, runs } = createCaller(mode, effect, caller)
    await settle(0)
    await hide()
    await show()
    await advance(1000)
    expect(runs).toHaveBeenCalledTimes(1)
  })

  it.each(['useLayoutEffect', 'useEffect'] as const)(
    'from the cleanup of %s of a child at unmount is ignored',
    async (effect) => {
      const options = { leading: true, onUnmount: 'flush' } as const
      const { settle, advance, unmount, clock, runs, state } = createCaller(mode, effect, 'a child', options)
      await settle(0)
      state.isLeaving = true
      await unmount()
      await advance(1000)
      expect([runs.mock.calls, clock.pending]).toEqual([[], 0])
    },
  )
})
