import { useBatch, useDebouncedAsync, useDebouncedCallback, useThrottledEvent } from 'lull'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Boundary } from '../support/boundary.tsx'
import { createStage, modes } from '../support/mount-on-clock.tsx'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => vi.restoreAllMocks())

describe.each(modes)('in place of a function, %s', (mode) => {
  it.each([
    ['useDebouncedCallback', 'fn', () => useDebouncedCallback(undefined as unknown as () => void, 100)],
    ['useDebouncedAsync', 'task', () => useDebouncedAsync(undefined as unknown as () => void, 100)],
    ['useBatch', 'flush', () => useBatch(undefined as unknown as () => void)],
    ['useThrottledEvent', 'fn', () => useThrottledEvent(window, 'x', undefined as unknown as () => void)],
  ] as const)('%s says at once that it was given no function', async (_, name, useBad) => {
    const stage = createStage(mode)
    function Box(): ReactNode {
      useBad()
      return null
    }
    await stage.render(
      <Boundary>
        <Box />
      </Boundary>,
    )
    expect(stage.container.textContent).toBe(`Expected a function ${name}, got undefined`)
  })
})
