import { act } from '@testing-library/react'
import { pageHidden, pageHide, useDebouncedCallback, type DebouncedCallbackOptions } from 'lull'
import { useInsertionEffect, type ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Boundary } from '../support/boundary.tsx'
import { createOnClock, createStage, modes, renderOn } from '../support/render.tsx'

const reported = vi.fn<(error: unknown) => void>()
// jsdom lacks it.
beforeEach(() => void vi.stubGlobal('reportError', reported.mockClear()))

const bad = new Error('bad')

describe.each(modes)('each error is reported once, and the hook keeps working, %s', (mode) => {
  /** Debounced functions with these options in one component. They log their runs; the text "bad" throws. */
  function createForm(all: Record<string, DebouncedCallbackOptions>) {
    const runs: string[] = []
    const debounced: Record<string, (text: string) => void> = {}
    function One({ name }: { name: string }): ReactNode {
      const run = (text: string): void => {
        if (text === 'bad') throw bad
        runs.push(`${name} ${text}`)
      }
      const own = useDebouncedCallback(run, 100, all[name])
      useInsertionEffect(() => void (debounced[name] = own))
      return name
    }
    const ones = Object.keys(all).map((name) => <One key={name} name={name} />)
    return { ...createStage(mode), runs, debounced, form: <Boundary>{ones}</Boundary> }
  }

  it('passes an error of an unmount flush to the boundary, and ends the other hooks properly', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const flush = { onUnmount: 'flush' } as const
    const all = { bad: flush, good: flush, dropped: {} }
    const { render, container, runs, debounced, form, clock } = createForm(all)
    await render(form)
    for (const [name, call] of Object.entries(debounced)) call(name)
    await render(<Boundary>{null}</Boundary>)
    expect(container.textContent).toBe('bad')
    expect([runs, clock.pending]).toEqual([['good good'], 0])
  })

  it('reports an error of a callback on pagehide, runs the other callbacks, and allows further runs', async () => {
    const all = { saver: { flushOn: [pageHidden, pageHide] }, other: { flushOn: [pageHide] } } as const
    const { render, advance, runs, debounced, form } = createForm(all)
    await render(form)
    debounced['saver']!('bad')
    debounced['other']!('good')
    dispatchEvent(new Event('pagehide'))
    expect([runs, reported.mock.calls]).toEqual([['other good'], [[bad]]])
    await advance(1000)
    debounced['saver']!('good')
    await advance(100)
    expect(runs).toEqual(['other good', 'saver good'])
  })

  it.each([false, true])('lets a callback unmount its own component, leading: %s', (leading) => {
    const remove = vi.fn(() => page.rerender(null))
    let call!: () => unknown
    function Box(): ReactNode {
      const debounced = useDebouncedCallback(remove, 100, { leading, onUnmount: 'flush' })
      useInsertionEffect(() => void (call = debounced))
      return 'box'
    }
    const page = renderOn(createOnClock(mode), <Box />)
    act(() => void call())
    page.advance(1100)
    expect([page.container.textContent, remove.mock.calls.length, page.clock.pending]).toEqual(['', 1, 0])
  })
})
