// What usehooks-ts 3.1 has wrong, seen in it, and that ours has not.
import { act, renderHook } from '@testing-library/react'
import { useDebouncedCallback, useIsPending } from 'lull'
import { useDebounceCallback as useTheirs } from 'usehooks-ts'
import { expect, it, vi } from 'vitest'
import { stopTime } from '../stop-time.ts'

stopTime()

const pass = (ms: number): void =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

it('UH1: the unmount cancels what is pending itself', () => {
  const ran: string[] = []
  const theirFn = (): void => void ran.push('theirs')
  const ourFn = (): void => void ran.push('ours')
  const { result, unmount } = renderHook(() => [useTheirs(theirFn, 100), useDebouncedCallback(ourFn, 100)])
  for (const debounced of result.current) debounced()
  unmount()
  pass(1000)
  expect(ran).toEqual(['theirs'])
})

it('UH2: is pending only while a run is due', () => {
  const fn = (): undefined => undefined
  const { result } = renderHook(() => {
    const debounced = useDebouncedCallback(fn, 100)
    return { theirs: useTheirs(fn, 100), debounced, isPending: useIsPending(debounced) }
  })
  const seen = (): boolean[] => [
    result.current.theirs.isPending(),
    result.current.debounced.isPending(),
    result.current.isPending,
  ]
  expect(seen()).toEqual([true, false, false])
  act(() => result.current.debounced())
  expect(seen()).toEqual([true, true, true])
  pass(100)
  expect(seen()).toEqual([true, false, false])
})

it('UH3: an inline callback and inline options are one debounce, however often they are rendered', () => {
  const theirs: string[] = []
  const ours: string[] = []
  const { result, rerender } = renderHook(() => [
    useTheirs((text: string) => theirs.push(text), 100, { maxWait: 1000 }),
    useDebouncedCallback((text: string) => ours.push(text), 100, { maxWait: 1000 }),
  ])
  for (const text of ['a', 'ab', 'abc']) {
    for (const debounced of result.current) debounced(text)
    rerender()
  }
  pass(1000)
  expect(theirs).toEqual(['a', 'ab', 'abc'])
  expect(ours).toEqual(['abc'])
})
