import { debounce } from 'lull/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

describe('on the timers of Vitest', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('runs a second after the last call', () => {
    const save = vi.fn()
    const saveLater = debounce(save, 1000)
    saveLater('h')
    vi.advanceTimersByTime(500)
    saveLater('hi')
    vi.advanceTimersByTime(999)
    expect(save).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(save.mock.calls).toEqual([['hi']])
  })
})
