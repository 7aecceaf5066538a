import { act } from '@testing-library/react'
import { useDebouncedAsync, type DebouncedAsyncOptions } from 'lull'
import { Activity, startTransition, useEffect, useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { track, unhandledRejections } from '../../core/shared/promises.ts'
import { createOnClock, inTask, modes, renderHookOn, renderOn } from '../support/render.tsx'

const error = new Error('no network')

describe.each(modes)('the state of useDebouncedAsync, %s', (mode) => {
  function renderSearch(options: DebouncedAsyncOptions = {}) {
    const onClock = createOnClock(mode)
    const inFlight = new Map<string, (error?: Error) => void>()
    const renders = vi.fn<() => void>()
    const { result, unmount } = renderHookOn(onClock, () => {
      useEffect(() => renders())
      return useDebouncedAsync(
        (_signal, text: string) => {
          if (text === 'throws') throw error
          return new Promise<string>((resolve, reject) => {
            inFlight.set(text, (failure) => (failure ? reject(failure) : resolve(`found ${text}`)))
          })
        },
        100,
        options,
      )
    })
    return {
      ...onClock,
      result,
      unmount,
      renders: () => renders.mock.calls.length,
      run: (text: string) => inTask(() => void result.current.run(text)),
      /** Settles the run for `text`. */
      end: (text: string, failure?: Error) => inTask(() => inFlight.get(text)!(failure)),
    }
  }

  it('renders three times for a burst: idle, pending, success', async () => {
    const { result, renders, run, end, advanceAsync } = renderSearch()
    const before = renders()
    expect(result.current.status).toBe('idle')
    for (const text of ['a', 'ab', 'abc']) await run(text)
    await advanceAsync(100)
    expect(result.current.status).toBe('pending')
    await end('abc')
    expect(renders() - before).toBe(2)
    expect(result.current).toMatchObject({ data: 'found abc', status: 'success', isStale: false })
  })

  it('does not rerender for calls covered by the leading edge', async () => {
    const { renders, run, end } = renderSearch({ leading: true, trailing: false })
    await run('a')
    await end('a')
    const before = renders()
    await run('ab')
    await run('abc')
    expect(renders()).toBe(before)
  })

  it("holds the error that a task throws, like the call's promise, without an unhandled rejection", async () => {
    const { result, advanceAsync } = renderSearch()
    let call!: object
    const reasons = await unhandledRejections(async () => {
      act(() => void result.current.run('throws'))
      await advanceAsync(100)
      act(() => void (call = track(result.current.run('throws'))))
      await advanceAsync(100)
    })
    expect([reasons, call]).toEqual([[], { state: 'rejected', error }])
    expect(result.current).toMatchObject({ status: 'error', error })
  })

  it('is correct with results set in transitions and calls in between, and shows a cancellation at once', async () => {
    const { result, run, end, advanceAsync } = renderSearch({ commit: startTransition, overlap: 'queue' })
    await run('a')
    await advanceAsync(100)
    await run('b')
    await end('a')
    expect(result.current).toMatchObject({ data: 'found a', status: 'pending', isStale: true })
    await advanceAsync(100)
    act(() => result.current.cancel())
    expect(result.current).toMatchObject({ data: 'found a', status: 'success' })
    await end('b')
    expect(result.current.data).toBe('found a')
  })

  it('is correct with a result set later, as in a view transition, and calls in between', async () => {
    const later: (() => void)[] = []
    const { result, run, end, advanceAsync } = renderSearch({ commit: (set) => void later.push(set) })
    const setNext = (): Promise<void> => inTask(later.shift()!)
    await run('a')
    await advanceAsync(100)
    await end('a')
    await run('b')
    await setNext()
    expect(result.current).toMatchObject({ data: 'found a', status: 'pending', isStale: true })
    await advanceAsync(100)
    await run('c')
    await end('b')
    await inTask(() => result.current.cancel())
    await setNext()
    expect(result.current).toMatchObject({ data: 'found b', status: 'success', isStale: false })
  })

  it('is no longer pending when shown after a call while hidden at first, or hidden in the same task', async () => {
    let run!: () => unknown
    function Search(): ReactNode {
      const search = useDebouncedAsync(() => 'found', 100)
      useInsertionEffect(() => void (run = search.run), [search.run])
      return search.status
    }
    const page = (activity: 'hidden' | 'visible'): ReactNode => (
      <Activity mode={activity}>
        <Search />
      </Activity>
    )
    const { container, rerender } = renderOn(createOnClock(mode), page('hidden'))
    for (const end of [() => undefined, () => rerender(page('hidden'))]) {
      act(() => void run())
      end()
      await inTask(() => rerender(page('visible')))
      expect(container.textContent).toBe('idle')
    }
  })
})
