import { act } from '@testing-library/react'
import { useDebouncedAsync, type DebouncedAsyncOptions, type DebouncedAsyncState } from 'lull'
import type { Outcome } from 'lull/core'
import { describe, expect, it } from 'vitest'
import {
  createDeferred,
  settled,
  track,
  unhandledRejections,
  type Deferred,
} from '../../core/shared/promises.ts'
import { createOnClock, modes, renderHookOn, type OnClock } from '../support/render-on-clock.tsx'

interface Run extends Deferred<string> {
  text: string
  at: number
  signal: AbortSignal
}

interface Search extends OnClock {
  runs: Run[]
  state: () => DebouncedAsyncState<[string], string>
  /** Types, in `act`. */
  run: (text: string) => Promise<Outcome<string>>
  /** Ends a run, and lets React show it. */
  end: (run: Run | undefined, value: string | Error) => Promise<void>
  advanceAsync: (ms: number) => Promise<void>
  unmount: () => void
}

/** A hook whose runs end when the test says so. They take no notice of their signals. */
function renderSearch(mode: (typeof modes)[number], wait: number, options?: DebouncedAsyncOptions): Search {
  const onClock = createOnClock(mode)
  const runs: Run[] = []
  const { result, unmount } = renderHookOn(
    onClock,
    () =>
      useDebouncedAsync(
        (signal, text: string) => {
          const run = { ...createDeferred<string>(), text, signal, at: onClock.clock.now() }
          runs.push(run)
          return run.promise
        },
        wait,
        options,
      ),
    undefined,
  )
  return {
    ...onClock,
    runs,
    unmount,
    state: () => result.current,
    run(text) {
      let outcome!: Promise<Outcome<string>>
      act(() => {
        outcome = result.current.run(text)
      })
      return outcome
    },
    end: (run, value) =>
      act(async () => {
        if (value instanceof Error) run!.reject(value)
        else run!.resolve(value)
        await settled()
      }),
    advanceAsync: (ms) => act(() => onClock.clock.advanceAsync(ms)),
  }
}

describe.each(modes)('an older, slower answer never replaces a newer one, %s', (mode) => {
  it.each(['the older first', 'the newer first'])('whichever ends first: %s', async (order) => {
    const { runs, run, end, state, advance } = renderSearch(mode, 50)
    const older = run('lu')
    advance(50)
    const newer = run('lull')
    expect(runs[0]!.signal.aborted).toBe(false)
    advance(50)
    expect(runs.map(({ text, signal }) => [text, signal.aborted])).toEqual([
      ['lu', true],
      ['lull', false],
    ])
    const shown: unknown[] = []
    for (const which of order === 'the older first' ? [0, 1] : [1, 0]) {
      await end(runs[which], `results of ${runs[which]!.text}`)
      shown.push(state().data)
    }
    expect(shown).not.toContain('results of lu')
    expect(state()).toMatchObject({ data: 'results of lull', status: 'success', isStale: false })
    expect(await older).toEqual({ status: 'superseded' })
    expect(await newer).toEqual({ status: 'done', value: 'results of lull' })
  })

  it('nor does the error of an older one, which nobody hears of', async () => {
    const { runs, run, end, state, advance } = renderSearch(mode, 50)
    void run('lu')
    advance(50)
    void run('lull')
    advance(50)
    await end(runs[1], 'results of lull')
    expect(await unhandledRejections(() => end(runs[0], new Error('late')))).toEqual([])
    expect(state()).toMatchObject({ data: 'results of lull', error: undefined, status: 'success' })
  })

  it('nor after a cancel, or an unmount', async () => {
    const { runs, run, end, state, advance, unmount } = renderSearch(mode, 50)
    void run('lu')
    advance(50)
    act(() => state().cancel())
    expect(runs[0]!.signal.aborted).toBe(true)
    await end(runs[0], 'results of lu')
    expect(state()).toMatchObject({ data: undefined, status: 'idle' })
    void run('lull')
    advance(50)
    unmount()
    expect(runs[1]!.signal.aborted).toBe(true)
  })
})

describe.each(modes)('every call has a promise that settles, %s', (mode) => {
  it.each([
    ['one run', (search: Search) => search.advance(50), 'done'],
    ['a cancel', (search: Search) => act(() => search.state().cancel()), 'cancelled'],
    ['an unmount', (search: Search) => search.unmount(), 'cancelled'],
    ['a flush', (search: Search) => act(() => void search.state().flush()), 'done'],
  ])('five calls and %s leave none pending, the first answers nothing old', async (_, close, last) => {
    const search = renderSearch(mode, 50)
    const calls = ['l', 'lu', 'lul', 'lull', 'lull!'].map((text) => track(search.run(text)))
    const reasons = await unhandledRejections(async () => {
      close(search)
      if (search.runs[0]) await search.end(search.runs[0], 'answer')
    })
    expect(reasons).toEqual([])
    const ends = calls.map(({ value }) => value)
    expect(ends.slice(0, 4)).toEqual(Array(4).fill({ status: 'superseded' }))
    expect(ends[4]).toMatchObject(last === 'done' ? { status: 'done', value: 'answer' } : { status: last })
    expect(search.runs).toHaveLength(last === 'done' ? 1 : 0)
    expect(search.clock.pending).toBe(0)
  })

  it('a call after the unmount is told that it is cancelled', async () => {
    const { run, unmount } = renderSearch(mode, 50)
    unmount()
    expect(await run('late')).toEqual({ status: 'cancelled' })
  })

  it('a task that fails rejects the call that it ran for, and is no unhandled rejection if ignored', async () => {
    const search = renderSearch(mode, 50)
    const error = new Error('offline')
    const reasons = await unhandledRejections(async () => {
      void search.run('lull')
      search.advance(50)
      await search.end(search.runs[0], error)
    })
    expect(reasons).toEqual([])
    expect(search.state()).toMatchObject({ error, status: 'error' })
    const call = track(search.run('again'))
    search.advance(50)
    await search.end(search.runs[1], error)
    expect(call).toMatchObject({ state: 'rejected', error })
  })
})
