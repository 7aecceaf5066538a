// What TanStack Pacer's hooks for queues (0.23) have wrong, and that ours have not.
import { act, fireEvent, renderHook, screen } from '@testing-library/react'
import { ClockProvider, useBatch, useDebouncedAsync, useIsPending, useLimiter } from 'lull'
import { createQueue } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { Activity, StrictMode, useSyncExternalStore, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, renderOn } from '../support/render-on-clock.tsx'

/** In StrictMode, and may be hidden and shown again. */
function createStage() {
  const clock = createManualClock()
  let mode: 'visible' | 'hidden' = 'visible'
  return {
    clock,
    advance: (ms: number) => act(() => clock.advanceAsync(ms)),
    set: (next: typeof mode) => (mode = next),
    wrapper: ({ children }: { children: ReactNode }) => (
      <StrictMode>
        <ClockProvider clock={clock}>
          <Activity mode={mode}>{children}</Activity>
        </ClockProvider>
      </StrictMode>
    ),
  }
}

describe('what is queued is worked off in StrictMode, and again after it was hidden', () => {
  it('by useBatch', async () => {
    const stage = createStage()
    const sent: string[][] = []
    const { result, rerender } = renderHook(
      () => {
        const batched = useBatch((items: readonly string[]) => void sent.push([...items]), { wait: 100 })
        return { batched, isPending: useIsPending(batched) }
      },
      { wrapper: stage.wrapper },
    )
    const add = (item: string): void =>
      act(() => {
        result.current.batched.add(item).catch(() => undefined)
      })
    add('a')
    add('b')
    expect(result.current.isPending).toBe(true)
    await stage.advance(100)
    expect(sent).toEqual([['a', 'b']])
    add('lost')
    stage.set('hidden')
    rerender()
    await stage.advance(1000)
    stage.set('visible')
    rerender()
    add('c')
    await stage.advance(100)
    expect(sent).toEqual([['a', 'b'], ['c']])
    expect(result.current.isPending).toBe(false)
    expect(stage.clock.pending).toBe(0)
  })

  it("by useDebouncedAsync with overlap 'queue'", async () => {
    const stage = createStage()
    const saved: [text: string, at: number][] = []
    const { result, rerender } = renderHook(
      () =>
        useDebouncedAsync(
          async (_signal, text: string) => {
            await new Promise<void>((resolve) => stage.clock.after(500, resolve))
            saved.push([text, stage.clock.now()])
            return text
          },
          100,
          { overlap: 'queue' },
        ),
      { wrapper: stage.wrapper },
    )
    const run = (text: string): void =>
      act(() => {
        void result.current.run(text)
      })
    run('a')
    await stage.advance(200)
    run('b')
    await stage.advance(1000)
    expect(saved).toEqual([
      ['a', 600],
      ['b', 1100],
    ])
    expect(result.current).toMatchObject({ data: 'b', status: 'success' })
    stage.set('hidden')
    rerender()
    stage.set('visible')
    rerender()
    run('c')
    await stage.advance(1000)
    expect(saved.at(-1)).toEqual(['c', 1800])
    expect(result.current).toMatchObject({ data: 'c', status: 'success' })
    expect(stage.clock.pending).toBe(0)
  })

  it('by a queue that useLimiter shows', async () => {
    const stage = createStage()
    const queue = createQueue({ concurrency: 1, clock: stage.clock })
    const { result, rerender } = renderHook(() => useLimiter(queue, ({ started }) => started), {
      wrapper: stage.wrapper,
    })
    const work = () => new Promise<void>((resolve) => stage.clock.after(100, resolve))
    act(() => {
      void queue.add(work)
      void queue.add(work)
    })
    await stage.advance(200)
    expect(result.current).toBe(2)
    stage.set('hidden')
    rerender()
    await act(() => queue.add(() => undefined))
    stage.set('visible')
    rerender()
    expect(result.current).toBe(3)
    expect(stage.clock.pending).toBe(0)
  })
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
