import { act, screen } from '@testing-library/react'
import { useDebouncedCallback, useDebouncedState, useIsPending } from 'lull'
import type { Pending } from 'lull/core'
import { Activity, Profiler, useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderHookOn, renderOn } from '../support/render.tsx'

function Badge({ of }: { of: Pending }): ReactNode {
  return <output>{useIsPending(of) ? 'pending' : 'saved'}</output>
}

describe.each(modes)('the pending state, %s', (mode) => {
  /** An editor with a badge, which alone subscribes to the pending state. */
  function renderEditor() {
    const onClock = createOnClock(mode)
    const commits = { editor: 0, badge: 0 }
    let save!: ReturnType<typeof useDebouncedCallback<unknown, [text: string], string>>
    function Editor(): ReactNode {
      const debounced = useDebouncedCallback((text: string) => text, 100)
      useInsertionEffect(() => void (save = debounced))
      return (
        <>
          <Profiler id="editor" onRender={() => commits.editor++}>
            <input />
          </Profiler>
          <Profiler id="badge" onRender={() => commits.badge++}>
            <Badge of={debounced} />
          </Profiler>
        </>
      )
    }
    renderOn(onClock, <Editor />)
    Object.assign(commits, { editor: 0, badge: 0 })
    const shows = (): string => screen.getByRole('status').textContent
    return { ...onClock, commits, save, shows }
  }

  it.each<[string, (all: ReturnType<typeof renderEditor>) => void]>([
    ['a run', ({ advance }) => advance(100)],
    ['a flush', ({ save }) => act(() => void save.flush())],
    ['a cancel', ({ save }) => act(() => save.cancel())],
  ])('is shown from the call to %s, in two commits of the badge only', (_, end) => {
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

  it('ends when a state is set to its current value', () => {
    const { result } = renderHookOn(createOnClock(mode), () => {
      const [, set, debounced] = useDebouncedState('kept', 100)
      return { set, isPending: useIsPending(debounced) }
    })
    act(() => result.current.set('typed'))
    expect(result.current.isPending).toBe(true)
    act(() => result.current.set('kept'))
    expect(result.current.isPending).toBe(false)
  })

  // React reports an update in an insertion effect, and then this fails.
  it('ends when an Activity hides the function but not the badge', async () => {
    const onClock = createOnClock(mode)
    let save!: Pending & (() => void)
    function Editor(): ReactNode {
      const debounced = useDebouncedCallback(() => undefined, 100)
      useInsertionEffect(() => void (save = debounced))
      return null
    }
    const page = (activity: 'visible' | 'hidden', badge?: ReactNode): ReactNode => [
      <Activity key="editor" mode={activity} children={<Editor />} />,
      badge,
    ]
    const { rerender } = renderOn(onClock, page('visible'))
    const badge = <Badge key="badge" of={save} />
    rerender(page('visible', badge))
    act(() => save())
    expect(screen.getByRole('status').textContent).toBe('pending')
    rerender(page('hidden', badge))
    await onClock.advanceAsync(0)
    expect(screen.getByRole('status').textContent).toBe('saved')
  })
})
