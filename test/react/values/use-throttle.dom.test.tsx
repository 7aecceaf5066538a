import { useThrottle } from 'lull'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'

describe.each(modes)('useThrottle, %s', (mode) => {
  it('takes the first change at once, then one each wait, and the last one in the end', () => {
    const onClock = createOnClock(mode)
    const shown: number[] = []
    const { rerender } = renderHookOn(
      onClock,
      ({ n }) => {
        const value = useThrottle(n, 100)
        if (shown.at(-1) !== value) shown.push(value)
      },
      { n: 0 },
    )
    expect(onClock.clock.pending).toBe(0)
    for (let n = 1; n <= 10; n++) {
      rerender({ n })
      onClock.advance(25)
    }
    onClock.advance(1000)
    expect(shown).toEqual([0, 1, 4, 8, 10])
    expect(onClock.clock.pending).toBe(0)
  })

  it('takes only first changes with trailing off', () => {
    const onClock = createOnClock(mode)
    const { result, rerender } = renderHookOn(onClock, ({ n }) => useThrottle(n, 100, { trailing: false }), {
      n: 0,
    })
    rerender({ n: 1 })
    rerender({ n: 2 })
    onClock.advance(1000)
    expect(result.current).toBe(1)
  })

  it('takes only last changes with leading off', () => {
    const onClock = createOnClock(mode)
    const { result, rerender } = renderHookOn(onClock, ({ n }) => useThrottle(n, 100, { leading: false }), {
      n: 0,
    })
    rerender({ n: 1 })
    expect(result.current).toBe(0)
    onClock.advance(100)
    expect(result.current).toBe(1)
  })
})
