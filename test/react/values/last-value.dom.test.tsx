import fc from 'fast-check'
import { useDebounce, useThrottle, useThrottledCallback, useThrottledEvent } from 'lull'
import { useEffect, useState } from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'

describe.each(modes)('a throttle never loses the last value, %s', (mode) => {
  const waits = fc.constantFrom(20, 100, 300)
  const bursts = fc.array(fc.record({ afterMs: fc.nat({ max: 250 }), wait: waits }), {
    minLength: 1,
    maxLength: 20,
  })

  it.each([
    ['useThrottle', (value: number, wait: number) => useThrottle(value, wait)],
    [
      'useThrottle without leading',
      (value: number, wait: number) => useThrottle(value, wait, { leading: false }),
    ],
    [
      'useDebounce with maxWait',
      (value: number, wait: number) => useDebounce(value, wait, { maxWait: wait }),
    ],
    [
      'useThrottledCallback',
      function useValue(value: number, wait: number): number {
        const [shown, setShown] = useState(0)
        const show = useThrottledCallback(setShown, wait)
        useEffect(() => {
          if (value > 0) show(value)
        }, [show, value])
        return shown
      },
    ],
    [
      'useThrottledEvent',
      function useValue(value: number, wait: number): number {
        const [target] = useState(() => new EventTarget())
        const [shown, setShown] = useState(0)
        useThrottledEvent(
          target,
          'value',
          (event: Event) => setShown((event as CustomEvent<number>).detail),
          wait,
        )
        useEffect(() => {
          if (value > 0) target.dispatchEvent(new CustomEvent('value', { detail: value }))
        }, [target, value])
        return shown
      },
    ],
  ])('%s: within the wait of then, in any burst, and over changes of the wait', (_, useValue) => {
    fc.assert(
      fc.property(bursts, (burst) => {
        const onClock = createOnClock(mode)
        const { result, rerender, unmount } = renderHookOn(
          onClock,
          ({ value, wait }) => useValue(value, wait),
          { value: 0, wait: 100 },
        )
        let value = 0
        for (const { afterMs, wait } of burst) {
          onClock.advance(afterMs)
          rerender({ value: ++value, wait })
        }
        onClock.advance(burst.at(-1)!.wait)
        expect(result.current).toBe(value)
        unmount()
        expect(onClock.clock.pending).toBe(0)
      }),
      { numRuns: 30, seed: 20 },
    )
  })
})
