import { useDebouncedCallback, type LeavingOptions } from 'lull'
import { useEffect, useInsertionEffect, useLayoutEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createStage, modes } from '../support/mount-on-clock.tsx'

const kinds = { useInsertionEffect, useLayoutEffect, useEffect }
const names = ['useInsertionEffect', 'useLayoutEffect', 'useEffect'] as const

describe.each(modes)('a call from an effect, %s', (mode) => {
  // In StrictMode React unmounts and mounts again what was just mounted: 'flush' makes then what the first effect called.
  const policies = mode === 'plain' ? (['cancel', 'flush'] as const) : (['cancel'] as const)
  const cases = names.flatMap((name) =>
    (['itself', 'a child'] as const).flatMap((who) =>
      policies.map((onUnmount) => [name, who, onUnmount] as const),
    ),
  )

  it.each(cases)(
    'on mount, from %s of %s, makes one run, with onUnmount %s',
    async (name, who, onUnmount) => {
      const stage = createStage(mode)
      const fn = vi.fn()
      const useItsEffect = kinds[name]
      function Caller({ call }: { call: () => void }): ReactNode {
        useItsEffect(() => {
          call()
        }, [call])
        return null
      }
      function Parent({ onUnmount }: LeavingOptions): ReactNode {
        const debounced = useDebouncedCallback(() => void fn(), 100, {
          onUnmount,
        })
        useItsEffect(() => {
          if (who === 'itself') debounced()
        }, [debounced])
        return who === 'a child' && <Caller call={debounced} />
      }
      await stage.render(<Parent onUnmount={onUnmount} />)
      expect(fn).not.toHaveBeenCalled()
      await stage.advance(1000)
      expect(fn).toHaveBeenCalledTimes(1)
      await stage.unmount()
      expect(fn).toHaveBeenCalledTimes(1)
      expect(stage.clock.pending).toBe(0)
    },
  )

  it.each(['useLayoutEffect', 'useEffect'] as const)(
    'when it is shown again, from its own %s, makes one run',
    async (name) => {
      const stage = createStage(mode)
      const fn = vi.fn()
      const useItsEffect = kinds[name]
      function Parent(): ReactNode {
        const debounced = useDebouncedCallback(() => void fn(), 100)
        useItsEffect(() => {
          debounced()
        }, [debounced])
        return null
      }
      await stage.render(<Parent />)
      await stage.advance(1000)
      await stage.hide()
      fn.mockClear()
      await stage.show()
      await stage.advance(1000)
      expect(fn).toHaveBeenCalledTimes(1)
    },
  )

  it('when it is shown again, from an effect of a child, makes one run', async () => {
    const stage = createStage(mode)
    const fn = vi.fn()
    function Child({ call }: { call: () => void }): ReactNode {
      useEffect(() => {
        call()
      }, [call])
      return null
    }
    function Parent(): ReactNode {
      return <Child call={useDebouncedCallback(() => void fn(), 100)} />
    }
    await stage.render(<Parent />)
    await stage.advance(1000)
    await stage.hide()
    fn.mockClear()
    await stage.show()
    await stage.advance(1000)
    expect(fn).toHaveBeenCalledTimes(1)
  })

  it.each(['useLayoutEffect', 'useEffect'] as const)(
    'from the cleanup of %s at unmount is ignored',
    async (name) => {
      const stage = createStage(mode)
      const fn = vi.fn()
      const useItsEffect = kinds[name]
      let isLeaving = false
      function Child({ call }: { call: () => void }): ReactNode {
        useItsEffect(
          () => () => {
            if (isLeaving) call()
          },
          [call],
        )
        return null
      }
      function Parent(): ReactNode {
        const debounced = useDebouncedCallback(() => void fn(), 100, {
          leading: true,
          onUnmount: 'flush',
        })
        return <Child call={debounced} />
      }
      await stage.render(<Parent />)
      isLeaving = true
      await stage.unmount()
      await stage.advance(1000)
      expect(fn).not.toHaveBeenCalled()
      expect(stage.clock.pending).toBe(0)
    },
  )

  it('of a parent and a child in one commit makes one run, of the callback of that commit', async () => {
    const stage = createStage(mode)
    const runs: string[] = []
    function Child({ n, call }: { n: number; call: (who: string) => void }): ReactNode {
      useLayoutEffect(() => {
        if (n > 0) call('child')
      }, [n, call])
      return null
    }
    function Parent({ n }: { n: number }): ReactNode {
      const debounced = useDebouncedCallback((who: string) => void runs.push(`${who} ${n}`), 100, {
        leading: n > 1,
      })
      useLayoutEffect(() => {
        if (n > 0) debounced('parent')
      }, [n, debounced])
      return <Child n={n} call={debounced} />
    }
    await stage.render(<Parent n={0} />)
    await stage.render(<Parent n={1} />)
    await stage.advance(1000)
    expect(runs).toEqual(['parent 1'])
  })
})
