import { act } from '@testing-library/react'
import { useBatch, useDebouncedAsync, useDebouncedCallback, type DebouncedCallbackOptions } from 'lull'
import { Component, type ReactNode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { settled, track, unhandledRejections } from '../../core/shared/promises.ts'
import { createOnClock, modes, renderHookOn, renderOn, type Mode } from '../support/render-on-clock.tsx'

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each(modes)('errors go to one place, once, and the hook works on, %s', (mode) => {
  const error = new Error('bad')

  /** A hook whose run fails for the text "bad". */
  function renderFailing(mode: Mode, options?: DebouncedCallbackOptions) {
    const onClock = createOnClock(mode)
    const saved: string[] = []
    const hook = renderHookOn(
      onClock,
      () =>
        useDebouncedCallback(
          (text: string) => {
            if (text === 'bad') throw error
            saved.push(text)
          },
          100,
          options,
        ),
      undefined,
    )
    return { ...onClock, ...hook, saved }
  }

  it.each<[string, DebouncedCallbackOptions, (all: ReturnType<typeof renderFailing>) => void]>([
    ['the timer that runs it', {}, ({ clock }) => clock.advance(100)],
    ['who flushes', {}, ({ result }) => result.current.flush()],
    ['who calls, at the leading edge', { leading: true }, () => undefined],
  ])('%s is thrown what it throws', (_, options, run) => {
    const hook = renderFailing(mode, options)
    expect(() => {
      hook.result.current('bad')
      run(hook)
    }).toThrow(error)
    hook.advance(1000)
    hook.result.current('good')
    hook.advance(1000)
    expect(hook.saved).toEqual(['good'])
    expect(hook.clock.pending).toBe(0)
  })

  it('an error boundary is given what the run of an unmount throws, and no timer stays', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const onClock = createOnClock(mode)
    const caught: unknown[] = []
    class Boundary extends Component<{ children: ReactNode }> {
      override componentDidCatch(what: unknown): void {
        caught.push(what)
      }
      override render(): ReactNode {
        return this.props.children
      }
    }
    let call!: (text: string) => void
    function Editor(): ReactNode {
      const save = useDebouncedCallback(
        (text: string) => {
          throw new Error(text)
        },
        100,
        { onUnmount: 'flush' },
      )
      return <button ref={() => void (call = save)} />
    }
    const page = (isOpen: boolean): ReactNode => <Boundary>{isOpen && <Editor />}</Boundary>
    const { rerender } = renderOn(onClock, page(true))
    act(() => call('bad'))
    rerender(page(false))
    expect(caught).toEqual([new Error('bad')])
    expect(onClock.clock.pending).toBe(0)
  })

  it('a task that throws, or rejects, is told of by the state and by the promise of its call', async () => {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(
      onClock,
      () =>
        useDebouncedAsync((_, how: string) => {
          if (how === 'throw') throw error
          return how === 'reject' ? Promise.reject(error) : how
        }, 100),
      undefined,
    )
    const reasons = await unhandledRejections(async () => {
      for (const how of ['throw', 'reject']) {
        let call!: Promise<unknown>
        act(() => {
          call = result.current.run(how)
        })
        const tracked = track(call)
        await act(() => onClock.clock.advanceAsync(100))
        expect(tracked).toEqual({ state: 'rejected', error })
        expect(result.current).toMatchObject({ status: 'error', error })
      }
      act(() => void result.current.run('throw'))
      await act(() => onClock.clock.advanceAsync(100))
    })
    expect(reasons).toEqual([])
    act(() => void result.current.run('good'))
    await act(() => onClock.clock.advanceAsync(100))
    expect(result.current).toMatchObject({ status: 'success', error: undefined, data: 'good' })
  })

  it('a batch that fails rejects each of its items, and the next one is sent', async () => {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(
      onClock,
      () =>
        useBatch(
          (items: string[]) => {
            if (items.includes('bad')) throw error
            return items
          },
          { wait: 100 },
        ),
      undefined,
    )
    const failed = [track(result.current.add('bad')), track(result.current.add('other'))]
    onClock.advance(100)
    await settled()
    expect(failed).toEqual([
      { state: 'rejected', error },
      { state: 'rejected', error },
    ])
    const sent = result.current.add('good')
    onClock.advance(100)
    expect(await sent).toBe('good')
  })
})
