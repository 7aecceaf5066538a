// Tests the hooks with the browser's sizes and input method, which other suites fake; those of the demo and of the
// hidden page have its clock, timers, scroll events and frames. Real time: the tests wait for events.
import { act, render, screen } from '@testing-library/react'
import { useThrottledResize } from 'lull'
import { debounce } from 'lull/core'
import { useRef, useState, type ReactNode } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { SearchField } from '../../../docs/recipes/search-field.tsx'

describe('a resize loop', () => {
  /** The loop errors of the observer that the browser reports. */
  function listenForErrors(): string[] {
    const errors: string[] = []
    const note = (event: ErrorEvent): void => void errors.push(event.message)
    addEventListener('error', note)
    onTestFinished(() => removeEventListener('error', note))
    return errors
  }

  it.each(['frame', 20] as const)('is not reported if a handler changes the size every %s', async (wait) => {
    const errors = listenForErrors()
    function Box(): ReactNode {
      const ref = useRef<HTMLDivElement>(null)
      const [width, setWidth] = useState(50)
      useThrottledResize(
        ref,
        ({ contentRect }) => {
          if (contentRect.width < 100) act(() => setWidth(contentRect.width + 10))
        },
        wait,
      )
      return (
        <div ref={ref} style={{ width }}>
          {width} wide
        </div>
      )
    }
    const { unmount } = render(<Box />)
    await screen.findByText('100 wide')
    // Two more frames, in which the browser would report it.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    unmount()
    expect(errors).toEqual([])
  })

  it('is reported for an observer that changes the size in its own callback', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const errors = listenForErrors()
    const element = document.body.appendChild(document.createElement('div'))
    element.style.width = '50px'
    const observer = new ResizeObserver(([entry]) => {
      const { width } = entry!.contentRect
      if (width < 60) element.style.width = `${width + 10}px`
    })
    observer.observe(element)
    await vi.waitFor(() => expect(errors).not.toEqual([]))
    observer.disconnect()
    element.remove()
    expect(errors[0]).toMatch(/ResizeObserver loop/)
  })
})

interface InputMethod {
  send: (method: string, params: Record<string, unknown>) => Promise<unknown>
}

it('searches once, for the final text, when an input method composes words', async () => {
  const sent = vi.spyOn(window, 'fetch').mockImplementation((input) => {
    const { searchParams } = new URL(input instanceof Request ? input.url : input, location.href)
    return Promise.resolve(Response.json([`found ${searchParams.get('q')!}`]))
  })
  const events: string[] = []
  for (const type of ['compositionstart', 'compositionend', 'input'])
    document.addEventListener(type, () => events.push(type), true)
  const { send } = cdp() as unknown as InputMethod
  const compose = (text: string): Promise<unknown> =>
    send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })

  render(<SearchField url="/search" />)
  await userEvent.click(screen.getByLabelText('Search'))
  for (const text of ['k', 'き', 'きょ', 'きょう', 'きょうt', 'きょうと']) await compose(text)
  // Longer than the wait: a pause within a word does not end the composition.
  await new Promise<void>((resolve) => debounce(resolve, 400)())
  expect(sent).not.toHaveBeenCalled()
  await send('Input.insertText', { text: '京都' })
  await screen.findByText('found 京都')
  expect(sent).toHaveBeenCalledTimes(1)
  expect(events[0]).toBe('compositionstart')
  expect(events).toContain('compositionend')
})
