import { act, screen } from '@testing-library/react'
import {
  createCondition,
  useDebouncedAsync,
  useDebouncedCallback,
  useDebouncedState,
  useIsPending,
  type DebouncedCallbackOptions,
} from 'lull'
import { throttleFrame, type DebouncedFunction, type Pending } from 'lull/core'
import { Profiler, type ReactNode } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createOnClock, modes, renderHookOn, renderOn } from '../support/render-on-clock.tsx'

type Debounced = DebouncedFunction<(text: string) => string>

function Badge({ of }: { of: Pending }): ReactNode {
  return <output>{useIsPending(of) ? 'pending' : 'saved'}</output>
}

describe.each(modes)('what is pending, %s', (mode) => {
  /** An editor, and a badge in it that alone asks whether it is saved. */
  function renderEditor(options?: DebouncedCallbackOptions) {
    const onClock = createOnClock(mode)
    const commits = { editor: 0, badge: 0 }
    let save!: Debounced
    const expose = (debounced: Debounced): void => void (save = debounced)
    function Editor(): ReactNode {
      const debounced = useDebouncedCallback((text: string) => text, 100, options)
      return (
        <>
          <Profiler id="editor" onRender={() => commits.editor++}>
            <Expose debounced={debounced} />
          </Profiler>
          <Profiler id="badge" onRender={() => commits.badge++}>
            <Badge of={debounced} />
          </Profiler>
        </>
      )
    }
    function Expose({ debounced }: { debounced: Debounced }): ReactNode {
      return <button ref={() => expose(debounced)} />
    }
    const { unmount } = renderOn(onClock, <Editor />)
    Object.assign(commits, { editor: 0, badge: 0 })
    return { ...onClock, commits, save, unmount, shows: () => screen.getByRole('status').textContent }
  }

  it.each<[string, (all: ReturnType<typeof renderEditor>) => void]>([
    ['a run', ({ advance }) => advance(100)],
    ['a flush', ({ save }) => act(() => void save.flush())],
    ['a cancel', ({ save }) => act(() => save.cancel())],
  ])('is shown from the call to %s, in two commits, of the badge alone', (_, end) => {
    const editor = renderEditor()
    const { save, commits, shows, advance } = editor
    expect(shows()).toBe('saved')
    act(() => void save('a'))
    expect(shows()).toBe('pending')
    advance(50)
    act(() => void save('ab'))
    expect(shows()).toBe('pending')
    end(editor)
    expect(shows()).toBe('saved')
    advance(1000)
    expect(commits).toEqual({ editor: 0, badge: 2 })
  })

  it('ends with the component, without a word to what listens no more', () => {
    const { save, unmount } = renderEditor()
    const told = vi.fn()
    act(() => void save('a'))
    save.subscribe(told)
    unmount()
    expect(save.isPending()).toBe(false)
    expect(told).toHaveBeenCalledTimes(1)
  })

  it('is over when a state is set to what it is already', () => {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(
      onClock,
      () => {
        const [, set, debounced] = useDebouncedState('kept', 100)
        return { set, isPending: useIsPending(debounced) }
      },
      undefined,
    )
    act(() => result.current.set('typed'))
    expect(result.current.isPending).toBe(true)
    act(() => result.current.set('kept'))
    expect(result.current.isPending).toBe(false)
  })

  it('a task is pending from the first call until it has ended, with no gap between the wait and the run', async () => {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const seen: string[] = []
    const { result } = renderHookOn(
      onClock,
      () => {
        const state = useDebouncedAsync(async (_, text: string) => {
          await new Promise<void>((resolve) => clock.after(300, resolve))
          return text
        }, 100)
        if (seen.at(-1) !== state.status) seen.push(state.status)
        return state
      },
      undefined,
    )
    for (const text of ['a', 'ab']) {
      act(() => void result.current.run(text))
      await act(() => clock.advanceAsync(200))
      expect(result.current.status).toBe('pending')
    }
    await act(() => clock.advanceAsync(1000))
    expect(seen).toEqual(['idle', 'pending', 'success'])
    expect(result.current).toMatchObject({ data: 'ab', isStale: false })
  })

  it('is told of what throttleFrame holds too', () => {
    const onClock = createOnClock(mode)
    const framed = throttleFrame(() => undefined, { clock: onClock.clock })
    const { result } = renderHookOn(onClock, () => useIsPending(framed), undefined)
    act(() => framed())
    expect(result.current).toBe(true)
    onClock.advance(16)
    expect(result.current).toBe(false)
  })

  it('by other options sets no state of another component during a render', () => {
    const onClock = createOnClock(mode)
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => report.mockRestore())
    const holdWhile = createCondition({ isOn: () => true, subscribe: () => () => undefined })
    let save!: () => void
    function Form({ isHeld }: { isHeld: boolean }): ReactNode {
      const options = isHeld ? { leading: true, holdWhile } : {}
      const held = useDebouncedCallback(() => undefined, isHeld ? 10 : 1000, options)
      return (
        <>
          <Badge of={held} />
          <button ref={() => void (save = held)} />
        </>
      )
    }
    const { rerender } = renderOn(onClock, <Form isHeld={false} />)
    act(() => save())
    rerender(<Form isHeld />)
    expect(screen.getByRole('status').textContent).toBe('pending')
    expect(report).not.toHaveBeenCalled()
  })
})
