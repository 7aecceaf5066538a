import { act } from '@testing-library/react'
import { useDebouncedAsync } from 'lull'
import type { Outcome } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createOnClock, modes, renderHookOn } from '../support/render-on-clock.tsx'

describe.each(modes)('a run that is due while another is in flight is not dropped, %s', (mode) => {
  // The second call comes before, within and after the first run, whose end comes before or after the second is due.
  const rows = (['abort', 'queue'] as const).flatMap((overlap) =>
    [10, 60, 120, 160].flatMap((callAt) => [20, 100, 300].map((lasts) => ({ overlap, callAt, lasts }))),
  )

  it.each(rows)(
    '$overlap: called at $callAt, the first run lasts $lasts',
    async ({ overlap, callAt, lasts }) => {
      const onClock = createOnClock(mode)
      const { clock } = onClock
      const runs: [text: string, at: number][] = []
      const { result } = renderHookOn(
        onClock,
        () =>
          useDebouncedAsync(
            async (_, text: string) => {
              runs.push([text, clock.now()])
              await new Promise<void>((resolve) => clock.after(lasts, resolve))
              return text
            },
            50,
            { overlap },
          ),
        undefined,
      )
      act(() => void result.current.run('A'))
      await act(() => clock.advanceAsync(callAt))
      let outcome!: Promise<Outcome<string>>
      act(() => {
        outcome = result.current.run('B')
      })
      await act(() => clock.advanceAsync(1000))
      const startsAt = overlap === 'queue' && callAt >= 50 ? Math.max(callAt + 50, 50 + lasts) : callAt + 50
      expect(runs).toEqual(
        callAt < 50
          ? [['B', startsAt]]
          : [
              ['A', 50],
              ['B', startsAt],
            ],
      )
      expect(await outcome).toEqual({ status: 'done', value: 'B' })
      expect(result.current).toMatchObject({ data: 'B', status: 'success' })
      expect(clock.pending).toBe(0)
    },
  )
})

describe.each(modes)('saves that take longer than the wait, %s', (mode) => {
  it('are made one at a time, in order, and the last typed is the last saved', async () => {
    const onClock = createOnClock(mode)
    const { clock } = onClock
    const log: string[] = []
    const { result } = renderHookOn(
      onClock,
      () =>
        useDebouncedAsync(
          async (signal, text: string) => {
            log.push(`start ${text}`)
            await new Promise<void>((resolve) => clock.after(300, resolve))
            log.push(`${signal.aborted ? 'abort' : 'end'} ${text}`)
            return text
          },
          100,
          { overlap: 'queue' },
        ),
      undefined,
    )
    for (const text of ['a', 'ab', 'abc', 'abcd']) {
      act(() => void result.current.run(text))
      await act(() => clock.advanceAsync(120))
    }
    await act(() => clock.advanceAsync(2000))
    expect(log).toEqual(['start a', 'end a', 'start abc', 'end abc', 'start abcd', 'end abcd'])
    expect(result.current).toMatchObject({ data: 'abcd', status: 'success' })
    expect(clock.pending).toBe(0)
  })
})
