// What only a browser tells: whether it takes a handler that changes sizes for a loop. Real time, of which nothing is asked.
import { act, render, screen } from '@testing-library/react'
import { useThrottledResize } from 'lull'
import { useRef, useState, type ReactNode } from 'react'
import { expect, it, vi } from 'vitest'

it.each(['frame', 20] as const)(
  'a size that is written by the handler, every %s, reports no loop',
  async (wait) => {
    const errors: string[] = []
    const note = (event: ErrorEvent): void => void errors.push(event.message)
    addEventListener('error', note)
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
    // Two frames more, in which the browser would have reported it.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    unmount()
    removeEventListener('error', note)
    expect(errors).toEqual([])
  },
)

it('the browser does report it of an observer whose own call changes the size', async () => {
  const errors: string[] = []
  const note = (event: ErrorEvent): void => void errors.push(event.message)
  addEventListener('error', note)
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
  removeEventListener('error', note)
  expect(errors[0]).toMatch(/ResizeObserver loop/)
})
