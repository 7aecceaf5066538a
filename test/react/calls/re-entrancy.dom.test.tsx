import { useDebouncedCallback, type DebouncedCallbackOptions } from 'lull'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'

type Run = [n: number, at: number]

describe.each(modes)('a callback that calls, flushes or cancels itself, %s', (mode) => {
  type Inside = 'call' | 'call and flush' | 'call and cancel' | 'flush' | 'cancel'

  it.each<[Inside, edge: string, options: DebouncedCallbackOptions, runs: Run[]]>([
    // The second run ends the window, and so the third begins another.
    [
      'call',
      'leading',
      { leading: true },
      [
        [1, 0],
        [2, 100],
        [3, 100],
      ],
    ],
    [
      'call',
      'trailing',
      {},
      [
        [1, 100],
        [2, 200],
        [3, 300],
      ],
    ],
    [
      'call',
      'throttled',
      { leading: true, maxWait: 100 },
      [
        [1, 0],
        [2, 100],
        [3, 200],
      ],
    ],
    [
      'call and flush',
      'leading',
      { leading: true },
      [
        [1, 0],
        [2, 0],
        [3, 0],
      ],
    ],
    [
      'call and flush',
      'trailing',
      {},
      [
        [1, 100],
        [2, 100],
        [3, 100],
      ],
    ],
    ['call and cancel', 'leading', { leading: true }, [[1, 0]]],
    ['call and cancel', 'trailing', {}, [[1, 100]]],
    ['flush', 'leading', { leading: true }, [[1, 0]]],
    ['flush', 'trailing', {}, [[1, 100]]],
    ['cancel', 'leading', { leading: true }, [[1, 0]]],
    ['cancel', 'trailing', {}, [[1, 100]]],
  ])('%s, %s: keeps its arguments and runs once in a window', (inside, _, options, expected) => {
    const onClock = createOnClock(mode)
    const runs: Run[] = []
    const { result, unmount } = renderHookOn(
      onClock,
      () => {
        const debounced = useDebouncedCallback(
          (n: number) => {
            runs.push([n, onClock.clock.now()])
            if (inside.startsWith('call') && n < 3) again(n + 1)
            if (inside.endsWith('flush')) flushIt()
            if (inside.endsWith('cancel')) cancelIt()
          },
          100,
          options,
        )
        return debounced
      },
      undefined,
    )
    const again = (n: number): unknown => result.current(n)
    const flushIt = (): unknown => result.current.flush()
    const cancelIt = (): void => result.current.cancel()
    again(1)
    onClock.advance(1000)
    expect(runs).toEqual(expected)
    unmount()
    expect(onClock.clock.pending).toBe(0)
  })
})
