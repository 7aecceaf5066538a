// The hooks on the browser's own clock, timers and frames: what the manual clock of the other suites stands in for.
// Real time: so "not before" only, and waiting is for what happens, not for a number of milliseconds.
import { act, render, screen } from '@testing-library/react'
import { useDebounce, useDebouncedCallback, useIsPending, useThrottle, useThrottledCallback } from 'lull'
import { debounce, throttleFrame } from 'lull/core'
import { StrictMode, useState, type ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'

it('shows typed text only after it has rested, with fewer runs than keystrokes', async () => {
  const runs: string[] = []
  let typedAt = 0
  let ranAt = 0
  function Box(): ReactNode {
    const [text, setText] = useState('')
    const rested = useDebounce(text, 150)
    const debounced = useDebouncedCallback((value: string) => {
      runs.push(value)
      ranAt = performance.now()
    }, 150)
    const isPending = useIsPending(debounced)
    return (
      <label>
        Search
        <input
          value={text}
          onChange={({ target }) => {
            typedAt = performance.now()
            setText(target.value)
            debounced(target.value)
          }}
        />
        <output>{isPending ? 'pending' : `rested: ${rested}`}</output>
      </label>
    )
  }
  render(
    <StrictMode>
      <Box />
    </StrictMode>,
  )
  await userEvent.type(screen.getByLabelText(/Search/), 'lull')
  await screen.findByText('rested: lull')
  expect(runs.at(-1)).toBe('lull')
  expect(runs.length).toBeLessThan(4)
  expect(ranAt - typedAt).toBeGreaterThanOrEqual(150)
})

it('throttles scrolling, and answers for the last position', async () => {
  const positions: number[] = []
  let lastRunAt = 0
  let events = 0
  function Scroller(): ReactNode {
    const onScroll = useThrottledCallback((top: number) => {
      positions.push(top)
      lastRunAt = performance.now()
    }, 100)
    return (
      <div
        data-testid="scroller"
        style={{ height: 100, overflow: 'auto' }}
        onScroll={({ currentTarget }) => {
          events++
          onScroll(currentTarget.scrollTop)
        }}
      >
        <div style={{ height: 5000 }} />
      </div>
    )
  }
  render(<Scroller />)
  const scroller = screen.getByTestId('scroller')
  const startedAt = performance.now()
  for (let top = 100; top <= 3000; top += 100) {
    scroller.scrollTop = top
    await new Promise(requestAnimationFrame)
  }
  await vi.waitFor(() => expect(positions.at(-1)).toBe(3000))
  expect(positions.length).toBeLessThan(events)
  // So many runs, each 100 ms after the one before, take that long at least.
  expect(lastRunAt - startedAt).toBeGreaterThanOrEqual((positions.length - 1) * 100)
})

it('takes the last of many values with useThrottle', async () => {
  function Box({ n }: { n: number }): ReactNode {
    return <output>{useThrottle(n, 50)}</output>
  }
  const { rerender } = render(<Box n={0} />)
  for (let n = 1; n <= 100; n++) rerender(<Box n={n} />)
  expect(await screen.findByText('100')).toBeTruthy()
})

it('runs in the next frame, once, with the last arguments', async () => {
  const runs: number[] = []
  const framed = throttleFrame((n: number) => runs.push(n))
  for (let n = 1; n <= 10; n++) framed(n)
  expect(runs).toEqual([])
  await new Promise(requestAnimationFrame)
  expect(runs).toEqual([10])
})

it('leaves nothing to run after an unmount', async () => {
  const late = vi.fn()
  function Box(): ReactNode {
    const debounced = useDebouncedCallback(late, 30)
    return <button onClick={debounced}>call</button>
  }
  const { unmount } = render(<Box />)
  act(() => screen.getByText('call').click())
  unmount()
  // A run called later, with a longer wait, comes after the one that there is not to be.
  await new Promise((resolve) => debounce(resolve, 60)(undefined))
  expect(late).not.toHaveBeenCalled()
})
