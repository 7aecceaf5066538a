import { useDebouncedAsync, type DebouncedAsyncOptions, type DebouncedAsyncState } from 'lull'
import { startTransition, useEffect, useInsertionEffect, type ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { createStage, inTask, modes, type Mode, type Stage } from '../support/mount-on-clock.tsx'

interface Search {
  stage: Stage
  hook: () => DebouncedAsyncState<[string], string>
  /** Ends the run for `text`. */
  answer: (text: string, error?: Error) => Promise<void>
  renders: () => number
}

async function mountSearch(mode: Mode, options: DebouncedAsyncOptions = {}): Promise<Search> {
  const stage = createStage(mode)
  const inFlight = new Map<string, (error?: Error) => void>()
  let hook: DebouncedAsyncState<[string], string>
  let renders = 0
  function Box(): ReactNode {
    const own = useDebouncedAsync(
      (_signal, text: string) =>
        new Promise<string>((resolve, reject) => {
          inFlight.set(text, (error) => (error ? reject(error) : resolve(`found ${text}`)))
        }),
      100,
      options,
    )
    useInsertionEffect(() => {
      hook = own
    })
    useEffect(() => {
      renders++
    })
    return own.data
  }
  await stage.render(<Box />)
  return {
    stage,
    hook: () => hook,
    answer: (text, error) => inTask(() => inFlight.get(text)!(error)),
    renders: () => renders,
  }
}

const run = ({ hook }: Search, text: string): Promise<void> => inTask(() => void hook().run(text))

describe.each(modes)('the state of useDebouncedAsync, %s', (mode) => {
  it('renders three times for a burst: idle, pending, success', async () => {
    const search = await mountSearch(mode)
    const before = search.renders()
    for (const text of ['a', 'ab', 'abc']) await run(search, text)
    await search.stage.advance(100)
    await search.answer('abc')
    expect(search.renders() - before).toBe(2)
    expect(search.hook()).toMatchObject({
      data: 'found abc',
      status: 'success',
      isStale: false,
    })
  })

  it('renders nothing anew for calls that the leading edge stands for', async () => {
    const search = await mountSearch(mode, { leading: true, trailing: false })
    await run(search, 'a')
    await search.answer('a')
    const before = search.renders()
    await run(search, 'ab')
    await run(search, 'abc')
    expect(search.renders()).toBe(before)
  })

  it('is that of the newest run, whatever arrives later of a task that heeds no signal', async () => {
    const search = await mountSearch(mode)
    await run(search, 'old')
    await search.stage.advance(100)
    await run(search, 'new')
    await search.stage.advance(100)
    await search.answer('new')
    await search.answer('old', new Error('late'))
    expect(search.hook()).toMatchObject({
      data: 'found new',
      error: undefined,
      status: 'success',
    })
  })

  it('keeps the data through an error, and forgets the error with the next success', async () => {
    const search = await mountSearch(mode)
    const error = new Error('no network')
    for (const [text, failure, expected] of [
      [
        'a',
        undefined,
        {
          data: 'found a',
          error: undefined,
          status: 'success',
          isStale: false,
        },
      ],
      ['b', error, { data: 'found a', error, status: 'error', isStale: true }],
      [
        'c',
        undefined,
        {
          data: 'found c',
          error: undefined,
          status: 'success',
          isStale: false,
        },
      ],
    ] as const) {
      await run(search, text)
      await search.stage.advance(100)
      await search.answer(text, failure)
      expect(search.hook()).toMatchObject(expected)
    }
  })

  it('is right when results are set in transitions and calls come between', async () => {
    const search = await mountSearch(mode, {
      commit: startTransition,
      overlap: 'queue',
    })
    await run(search, 'a')
    await search.stage.advance(100)
    await run(search, 'b')
    await search.answer('a')
    expect(search.hook()).toMatchObject({
      data: 'found a',
      status: 'pending',
      isStale: true,
    })
    await search.stage.advance(100)
    await inTask(() => search.hook().cancel())
    expect(search.hook()).toMatchObject({ data: 'found a', status: 'success' })
    await search.answer('b')
    expect(search.hook().data).toBe('found a')
  })

  it('reports a task that throws at once', async () => {
    const stage = createStage(mode)
    const error = new Error('at once')
    let hook: DebouncedAsyncState<[], never>
    function Box(): ReactNode {
      const own = useDebouncedAsync((): never => {
        throw error
      }, 0)
      useInsertionEffect(() => {
        hook = own
      })
      return null
    }
    await stage.render(<Box />)
    await inTask(() => void hook.run())
    await stage.advance(0)
    expect(hook!).toMatchObject({ error, status: 'error', data: undefined })
  })

  it('is unchanged by a result that comes in the tick of the unmount, and by calls after it', async () => {
    const search = await mountSearch(mode)
    await run(search, 'a')
    await search.stage.advance(100)
    const before = search.renders()
    const answered = search.answer('a')
    await search.stage.unmount()
    await answered
    expect(await search.hook().run('late')).toEqual({ status: 'cancelled' })
    expect(search.renders()).toBe(before)
    expect(search.stage.clock.pending).toBe(0)
  })
})
