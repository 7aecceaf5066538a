import { act } from '@testing-library/react'
import {
  pageHidden,
  pageHide,
  useBatch,
  useDebouncedAsync,
  useDebouncedCallback,
  type DebouncedCallbackOptions,
} from 'lull'
import { useInsertionEffect, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { track, unhandledRejections } from '../../core/shared/promises.ts'
import { Boundary } from '../support/boundary.tsx'
import { createOnClock, createStage, inTask, modes, renderHookOn } from '../support/render-on-clock.tsx'

const reported: string[] = []
const keep = (error: unknown): number => reported.push((error as Error).message)
const report = (event: ErrorEvent): void => {
  event.preventDefault()
  keep(event.error)
}
beforeEach(() => {
  reported.length = 0
  addEventListener('error', report)
  // Not in jsdom.
  vi.stubGlobal('reportError', keep)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  removeEventListener('error', report)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const bad = new Error('bad')

describe.each(modes)('an error goes to one place, once, and the hook works on, %s', (mode) => {
  /** Debounced functions with these options, in one component, that log their run; that of the text "bad" throws. */
  function createForm(all: Record<string, DebouncedCallbackOptions>) {
    const stage = createStage(mode)
    const runs: string[] = []
    const debounced: Record<
      string,
      ReturnType<typeof useDebouncedCallback<unknown, [text: string], void>>
    > = {}
    function One({ name, options }: { name: string; options: DebouncedCallbackOptions }): ReactNode {
      const own = useDebouncedCallback(
        (text: string) => {
          if (text === 'bad') throw bad
          runs.push(`${name} ${text}`)
        },
        100,
        options,
      )
      useInsertionEffect(() => void (debounced[name] = own))
      return name
    }
    const form = (
      <Boundary>
        {Object.entries(all).map(([name, options]) => (
          <One key={name} {...{ name, options }} />
        ))}
      </Boundary>
    )
    return { ...stage, runs, debounced, form }
  }

  it.each<[string, DebouncedCallbackOptions, (form: ReturnType<typeof createForm>) => void]>([
    ['the timer that runs it', {}, ({ clock }) => clock.advance(100)],
    ['the caller of flush', {}, ({ debounced }) => debounced['one']!.flush()],
    ['the caller, at the leading edge', { leading: true }, () => undefined],
  ])('%s gets what the callback throws', async (_, options, run) => {
    const form = createForm({ one: options })
    await form.render(form.form)
    expect(() => {
      form.debounced['one']!('bad')
      run(form)
    }).toThrow(bad)
    await form.advance(1000)
    form.debounced['one']!('good')
    await form.advance(1000)
    expect([form.runs, form.clock.pending]).toEqual([['one good'], 0])
  })

  it('the boundary gets what the flush of an unmount throws, and the other hooks end as they should', async () => {
    const flush = { onUnmount: 'flush' } as const
    const { render, container, runs, debounced, form, clock } = createForm({
      bad: flush,
      good: flush,
      dropped: {},
    })
    await render(form)
    for (const [name, call] of Object.entries(debounced)) call(name)
    await render(<Boundary>{null}</Boundary>)
    expect(container.textContent).toBe('bad')
    expect([runs, clock.pending]).toEqual([['good good'], 0])
  })

  it('a callback that throws as the page goes away is reported, stops no other, and may run again', async () => {
    const { render, advance, runs, debounced, form } = createForm({
      saver: { flushOn: [pageHidden, pageHide] },
      other: { flushOn: [pageHide] },
    })
    await render(form)
    debounced['saver']!('bad')
    debounced['other']!('good')
    dispatchEvent(new Event('pagehide'))
    expect([runs, reported]).toEqual([['other good'], ['bad']])
    await advance(1000)
    debounced['saver']!('good')
    await advance(100)
    expect(runs).toEqual(['other good', 'saver good'])
  })

  it.each([false, true])('a component may be unmounted by its own callback, leading: %s', async (leading) => {
    const stage = createStage(mode)
    let runs = 0
    let call!: () => void
    function Box(): ReactNode {
      const debounced = useDebouncedCallback(
        () => {
          runs++
          void stage.render(null)
        },
        100,
        { leading, onUnmount: 'flush' },
      )
      useInsertionEffect(() => void (call = debounced))
      return 'box'
    }
    await stage.render(<Box />)
    await inTask(() => call())
    await stage.advance(1100)
    expect([stage.container.textContent, runs, stage.clock.pending]).toEqual(['', 1, 0])
  })

  it('the state and the promise of its call get what a task throws or rejects with, also if nobody awaits it', async () => {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(
      onClock,
      () =>
        useDebouncedAsync((_, how: string) => {
          if (how === 'throw') throw bad
          return how === 'reject' ? Promise.reject(bad) : how
        }, 100),
      undefined,
    )
    const run = async (how: string): Promise<object> => {
      let call!: object
      act(() => void (call = track(result.current.run(how))))
      await onClock.advanceAsync(100)
      return call
    }
    for (const how of ['throw', 'reject']) {
      expect(await run(how)).toEqual({ state: 'rejected', error: bad })
      expect(result.current).toMatchObject({ status: 'error', error: bad })
    }
    const reasons = await unhandledRejections(async () => {
      act(() => void result.current.run('throw'))
      await onClock.advanceAsync(100)
    })
    expect(reasons).toEqual([])
    await run('good')
    expect(result.current).toMatchObject({ status: 'success', error: undefined, data: 'good' })
  })

  it('each item of a batch gets what its flush throws, and the next batch is sent', async () => {
    const onClock = createOnClock(mode)
    const { result } = renderHookOn(
      onClock,
      () =>
        useBatch(
          (items: string[]) => {
            if (items.includes('bad')) throw bad
            return items
          },
          { wait: 100 },
        ),
      undefined,
    )
    const failed = ['bad', 'other'].map((item) => track(result.current.add(item)))
    await onClock.advanceAsync(100)
    expect(failed).toEqual(failed.map(() => ({ state: 'rejected', error: bad })))
    const sent = result.current.add('good')
    await onClock.advanceAsync(100)
    expect(await sent).toBe('good')
  })
})
