import { useBatch } from 'lull'
import { debounceKeyed } from 'lull/core'
import { useEffect, useState } from 'react'
import { describe, expect, it } from 'vitest'
import { settled, track } from '../../core/shared/promises.ts'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'

describe.each(modes)('one debouncer for many ids, %s', (mode) => {
  it('saves each row that is edited, in a component too, and keeps no row that rests', () => {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const saved: string[] = []
    const { result, unmount } = renderHookOn(
      onClock,
      () => {
        const [save] = useState(() =>
          debounceKeyed((id: string, text: string) => saved.push(`${id}: ${text}`), 100, {
            key: (id: string) => id,
            maxKeys: 100,
            clock,
          }),
        )
        useEffect(() => () => void save.flush(), [save])
        return save
      },
      undefined,
    )
    const save = result.current
    save('a', 'l')
    save('b', 'x')
    save('a', 'lull')
    onClock.advance(100)
    expect(saved.sort()).toEqual(['a: lull', 'b: x'])
    onClock.advance(100)
    expect(save.size).toBe(0)
    save('a', 'again')
    save('b', 'again')
    save.flush('a')
    expect(saved.slice(2)).toEqual(['a: again'])
    unmount()
    expect(saved.slice(2)).toEqual(['a: again', 'b: again'])
  })

  it('a batch sends the items of each key', async () => {
    const onClock = createOnClock(mode)
    const sent: string[][] = []
    const { result } = renderHookOn(
      onClock,
      () => useBatch((ids: string[]) => void sent.push(ids), { wait: 100, key: (id: string) => id }),
      undefined,
    )
    const ends = ['a', 'b', 'a'].map((id) => track(result.current.add(id)))
    onClock.advance(100)
    await settled()
    expect(sent).toEqual([['a', 'b']])
    expect(ends.map(({ state }) => state)).toEqual(['resolved', 'resolved', 'resolved'])
  })
})

describe.each(modes)('arguments are collected, not dropped, %s', (mode) => {
  /** Sends names, and answers a greeting for each. */
  function renderGreetings(options: Parameters<typeof useBatch>[1]) {
    const onClock = createOnClock(mode)
    const sent: string[][] = []
    const hook = renderHookOn(
      onClock,
      ({ greeting }) =>
        useBatch(
          (names: string[]) => {
            sent.push(names)
            return names.map((name) => (name === 'nobody' ? new Error('nobody') : `${greeting}, ${name}`))
          },
          { ...options, key: undefined },
        ),
      { greeting: 'hello' },
    )
    return { ...onClock, ...hook, sent }
  }

  it('each caller has the answer to its own, by the callback of the last commit', async () => {
    const { result, rerender, advance, sent } = renderGreetings({ wait: 100 })
    const calls = ['Ann', 'nobody', 'Ann'].map((name) => track(result.current.add(name)))
    rerender({ greeting: 'good night' })
    advance(100)
    await settled()
    expect(sent).toEqual([['Ann', 'nobody', 'Ann']])
    expect(calls).toEqual([
      { state: 'resolved', value: 'good night, Ann' },
      { state: 'rejected', error: new Error('nobody') },
      { state: 'resolved', value: 'good night, Ann' },
    ])
  })

  it('nothing is lost by a flush, the size, or an unmount that flushes', async () => {
    const { result, unmount, advance, sent, clock } = renderGreetings({
      wait: 100,
      maxSize: 2,
      onUnmount: 'flush',
    } as object)
    const calls = ['1', '2', '3'].map((name) => track(result.current.add(name)))
    expect(sent).toEqual([['1', '2']])
    void result.current.flush()
    expect(sent).toEqual([['1', '2'], ['3']])
    calls.push(track(result.current.add('4')))
    unmount()
    expect(sent).toEqual([['1', '2'], ['3'], ['4']])
    advance(1000)
    await settled()
    expect(calls.map(({ state }) => state)).toEqual(Array(4).fill('resolved'))
    expect(clock.pending).toBe(0)
  })

  it('an unmount that cancels, and a call after it, tell each caller', async () => {
    const { result, unmount, sent, clock } = renderGreetings({ wait: 100 })
    const calls = [track(result.current.add('1')), track(result.current.add('2'))]
    unmount()
    calls.push(track(result.current.add('late')))
    await settled()
    expect(calls.map(({ error }) => (error as DOMException).name)).toEqual(Array(3).fill('AbortError'))
    expect(sent).toEqual([])
    expect(clock.pending).toBe(0)
  })
})
