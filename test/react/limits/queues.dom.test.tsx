import { act, fireEvent, screen } from '@testing-library/react'
import { useBatch, useLimiter } from 'lull'
import { createQueue } from 'lull/core'
import { useSyncExternalStore, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, createStage, inTask, renderOn } from '../support/render-on-clock.tsx'

it('a queue that is shown works on while that is hidden', async () => {
  const stage = createStage('StrictMode')
  const queue = createQueue({ concurrency: 1, clock: stage.clock })
  const Started = (): ReactNode => useLimiter(queue, ({ started }) => started)
  await stage.render(<Started />)
  const work = () => new Promise<void>((resolve) => stage.clock.after(100, resolve))
  await inTask(() => [queue.add(work), queue.add(work)])
  await stage.advance(200)
  expect(stage.container.textContent).toBe('2')
  await stage.hide()
  await inTask(() => queue.add(() => undefined))
  await stage.show()
  expect(stage.container.textContent).toBe('3')
  expect(stage.clock.pending).toBe(0)
})

describe('what is added is seen at once', () => {
  it('in a queue', async () => {
    const onClock = createOnClock()
    const queue = createQueue({ clock: onClock.clock })
    queue.pause()
    function Waiting(): ReactNode {
      return <output>{useLimiter(queue, ({ size }) => size)}</output>
    }
    renderOn(onClock, <Waiting />)
    for (let n = 1; n <= 3; n++) {
      act(() => void queue.add(() => n))
      expect(screen.getByRole('status').textContent).toBe(String(n))
    }
    queue.resume()
    await act(() => queue.onIdle())
    expect(screen.getByRole('status').textContent).toBe('0')
  })

  it('in a batch, whose items are its own', () => {
    const onClock = createOnClock()
    const given: string[] = []
    function Waiting(): ReactNode {
      const batched = useBatch(
        (items: readonly string[]) => {
          given.push(...items)
        },
        { wait: 100 },
      )
      const size = useSyncExternalStore(batched.subscribe, () => batched.size)
      return <button onClick={() => void batched.add(`item ${size}`)}>{size}</button>
    }
    renderOn(onClock, <Waiting />)
    const button = screen.getByRole('button')
    for (let n = 1; n <= 3; n++) {
      fireEvent.click(button)
      expect(button.textContent).toBe(String(n))
    }
    onClock.advance(100)
    expect(button.textContent).toBe('0')
    expect(given).toEqual(['item 0', 'item 1', 'item 2'])
  })
})
