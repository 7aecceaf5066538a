// `preact/compat` has no insertion effects: its `useInsertionEffect` is `useLayoutEffect`.
import type * as React from 'react'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

beforeAll(() => {
  vi.resetModules()
  vi.doMock('react', async (importActual) => {
    const react = await importActual<typeof React>()
    return { ...react, useInsertionEffect: react.useLayoutEffect }
  })
})
afterAll(() => {
  vi.doUnmock('react')
  vi.resetModules()
})

describe.each(['cancel', 'flush'] as const)('without insertion effects, with onUnmount %s', (onUnmount) => {
  it('a call stays pending when an option changes, and ends with the component', async () => {
    const { useDebouncedCallback } = await import('lull')
    const { createOnClock, renderHookOn } = await import('../support/render.tsx')
    const runs: string[] = []
    const onClock = createOnClock()
    const { result, rerender, unmount } = renderHookOn(
      onClock,
      ({ wait }) => useDebouncedCallback((text: string) => void runs.push(text), wait, { onUnmount }),
      { wait: 100 },
    )
    result.current('kept')
    rerender({ wait: 200 })
    onClock.advance(199)
    expect(runs).toEqual([])
    onClock.advance(1)
    expect(runs).toEqual(['kept'])

    result.current('last')
    unmount()
    await Promise.resolve()
    expect(runs).toEqual(onUnmount === 'flush' ? ['kept', 'last'] : ['kept'])
  })
})
