// What TanStack Pacer's hooks (0.23) have wrong, and that ours have not.
import { fireEvent, screen } from '@testing-library/react'
import {
  composing,
  createCondition,
  pageHidden,
  pageHide,
  useCountdown,
  useDebounce,
  useDebouncedCallback,
  useDebouncedState,
  useIsPending,
  useRateMeter,
  useThrottle,
  useThrottledEvent,
} from 'lull'
import { createRateMeter, type Pending } from 'lull/core'
import { useState, type ReactNode } from 'react'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createOnClock, modes, renderHookOn, renderOn } from '../support/render-on-clock.tsx'

it('what runs at the unmount is the callback of the last commit', () => {
  const onClock = createOnClock()
  const saved: string[] = []
  const { result, rerender, unmount } = renderHookOn(
    onClock,
    ({ user }) =>
      useDebouncedCallback((text: string) => saved.push(`${text} of ${user}`), 100, { onUnmount: 'flush' }),
    { user: 'first' },
  )
  result.current('text')
  rerender({ user: 'last' })
  unmount()
  expect(saved).toEqual(['text of last'])
})

it.each(modes)('a value held back catches up, and the mount uses up nothing, %s', (mode) => {
  const onClock = createOnClock(mode)
  const { result, rerender } = renderHookOn(onClock, ({ n }) => useThrottle(n, 1000), { n: 0 })
  rerender({ n: 1 })
  expect(result.current).toBe(1)
  for (const n of [2, 3, 4]) rerender({ n })
  expect(result.current).toBe(1)
  onClock.advance(1000)
  expect(result.current).toBe(4)
  onClock.advance(1000)
  expect(onClock.clock.pending).toBe(0)
})

it('the unmount takes away every listener of the page that the mount has added', () => {
  const added = [window, document].map((target) => vi.spyOn(target, 'addEventListener'))
  const removed = [window, document].map((target) => vi.spyOn(target, 'removeEventListener'))
  onTestFinished(() => [...added, ...removed].forEach((spy) => spy.mockRestore()))
  const types = (): string[] =>
    added.flatMap(({ mock }, i) => {
      const { calls, invocationCallOrder } = removed[i]!.mock
      const isRemoved = ([type, listener]: unknown[], order: number): boolean =>
        calls.some((call, n) => call[0] === type && call[1] === listener && invocationCallOrder[n]! > order)
      return (
        mock.calls
          .filter((call, n) => !isRemoved(call, mock.invocationCallOrder[n]!))
          .map(([type]) => type)
          // React itself listens for this one for ever.
          .filter((type) => type !== 'selectionchange')
      )
    })
  const onClock = createOnClock('StrictMode')
  const { unmount } = renderHookOn(
    onClock,
    () => {
      useDebouncedCallback(() => undefined, 100, {
        holdWhile: composing,
        flushOn: [pageHidden, pageHide],
      })
      useThrottledEvent(
        () => window,
        'scroll',
        () => undefined,
      )
      useCountdown(1000)
    },
    undefined,
  )
  expect(types()).toEqual(
    expect.arrayContaining(['compositionstart', 'compositionend', 'visibilitychange', 'pagehide', 'scroll']),
  )
  unmount()
  expect(types()).toEqual([])
  expect(onClock.clock.pending).toBe(0)
})

it('other options set no state of another component during a render', () => {
  const onClock = createOnClock()
  const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => report.mockRestore())
  const held = createCondition({ isOn: () => true, subscribe: () => () => undefined })
  function Status({ of }: { of: Pending }): ReactNode {
    return <output>{useIsPending(of) ? 'pending' : 'idle'}</output>
  }
  function Form(): ReactNode {
    const [isHeld, setIsHeld] = useState(false)
    const save = useDebouncedCallback(() => undefined, isHeld ? 10 : 1000, {
      leading: isHeld,
      holdWhile: isHeld ? held : undefined,
    })
    return (
      <>
        <Status of={save} />
        <button onClick={() => save()}>save</button>
        <button onClick={() => setIsHeld(true)}>hold</button>
      </>
    )
  }
  renderOn(onClock, <Form />)
  fireEvent.click(screen.getByText('save'))
  expect(screen.getByRole('status').textContent).toBe('pending')
  fireEvent.click(screen.getByText('hold'))
  expect(screen.getByRole('status').textContent).toBe('pending')
  expect(report).not.toHaveBeenCalled()
})

it.each(modes)('a mount without a change sets no timer, and nothing is pending, %s', (mode) => {
  const onClock = createOnClock(mode)
  const meter = createRateMeter({ clock: onClock.clock })
  const { result } = renderHookOn(
    onClock,
    () => {
      const [state, , held] = useDebouncedState('value', 100)
      useDebouncedCallback(() => undefined, 100, { leading: true })
      return {
        isPending: useIsPending(held),
        shown: [state, useDebounce('value', 100), useThrottle('value', 100)],
        numbers: [useCountdown(undefined), useRateMeter(meter)],
      }
    },
    undefined,
  )
  expect(result.current).toEqual({
    isPending: false,
    shown: ['value', 'value', 'value'],
    numbers: [0, 0],
  })
  expect(onClock.clock.pending).toBe(0)
})
