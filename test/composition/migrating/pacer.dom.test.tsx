import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Count } from '../../../docs/recipes/migrating/pacer-debouncer.after.tsx'
import { createOnClock, modes, renderOn } from '../../react/support/render-on-clock.tsx'

describe.each(modes)('ours for the async debouncer of Pacer, %s', (mode) => {
  it('never shows the older result, nor loses a call that was made while another was under way', async () => {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const asked: [text: string, at: number, signal: AbortSignal][] = []
    // The longer the text, the faster the answer.
    const count = (text: string, signal: AbortSignal): Promise<number> => {
      asked.push([text, clock.now(), signal])
      return new Promise((resolve) => void clock.after(900 / text.length, () => resolve(text.length)))
    }
    const { unmount } = renderOn(onClock, <Count count={count} />)
    const shown = (): string | null => screen.getByRole('status').textContent
    const type = (value: string): boolean =>
      fireEvent.change(screen.getByRole('textbox'), { target: { value } })
    type('a')
    await act(() => clock.advanceAsync(500))
    type('abc')
    expect(shown()).toBe('…')
    await act(() => clock.advanceAsync(600))
    expect(shown()).toBe('3')
    await act(() => clock.advanceAsync(2000))
    expect(shown()).toBe('3')
    expect(asked.map(([text, at, signal]) => [text, at, signal.aborted])).toEqual([
      ['a', 300, true],
      ['abc', 800, false],
    ])
    unmount()
    expect(clock.pending).toBe(0)
  })
})
