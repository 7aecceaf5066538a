// What a render that React throws away leaves behind in use-debounce, in ahooks and in usehooks-ts, and not in ours.
import { act, render } from '@testing-library/react'
import { useDebounceFn } from 'ahooks'
import { useDebounce, useDebouncedCallback, useThrottle, useThrottledCallback } from 'lull'
import { startTransition, Suspense, use, useLayoutEffect, useState, type ReactNode } from 'react'
import { useDebounce as useTheirDebounce, useDebouncedCallback as useTheirCallback } from 'use-debounce'
import { useDebounceValue } from 'usehooks-ts'
import { expect, it, vi } from 'vitest'
import { stopTime } from '../support/stop-time.ts'

stopTime()

const pass = (ms: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(ms))

const never = new Promise<never>(() => undefined)

function Stuck(): never {
  return use(never)
}

/** Shows `Part` with 'a'. The transition to 'b' never comes to its commit. */
async function showIn(
  Part: (props: { text: string }) => ReactNode,
): Promise<{ beginTransition: () => Promise<void> }> {
  let setText: (text: string) => void
  function Page(): ReactNode {
    const [text, set] = useState('a')
    useLayoutEffect(() => {
      setText = set
    }, [])
    return (
      <Suspense>
        <Part text={text} />
        {text === 'b' && <Stuck />}
      </Suspense>
    )
  }
  render(<Page />)
  await pass(1000)
  return {
    beginTransition: () =>
      act(async () => {
        startTransition(() => setText('b'))
        await Promise.resolve()
      }),
  }
}

it('CR1: the callback of a render that is not committed is never run', async () => {
  const ran: string[] = []
  let calls: (() => unknown)[] = []
  function Part({ text }: { text: string }): ReactNode {
    const used = [
      useTheirCallback(() => ran.push(`use-debounce ${text}`), 100),
      useDebounceFn(() => ran.push(`ahooks ${text}`), { wait: 100 }).run,
      useDebouncedCallback(() => ran.push(`debounced ${text}`), 100),
      useThrottledCallback(() => ran.push(`throttled ${text}`), 100, { leading: false }),
    ]
    useLayoutEffect(() => {
      calls = used
    })
    return null
  }
  const { beginTransition } = await showIn(Part)
  for (const call of calls) call()
  await beginTransition()
  await pass(1000)
  expect(ran).toEqual(['use-debounce b', 'ahooks b', 'debounced a', 'throttled a'])
})

it('CR2: the value of a render that is not committed is never shown', async () => {
  const shown = new Set<string>()
  function Part({ text }: { text: string }): ReactNode {
    const values = {
      'use-debounce': useTheirDebounce(text, 100)[0],
      'usehooks-ts': useDebounceValue(text, 100)[0],
      debounced: useDebounce(text, 100),
      throttled: useThrottle(text, 100),
    }
    useLayoutEffect(() => {
      for (const [library, value] of Object.entries(values)) shown.add(`${library} ${value} for ${text}`)
    })
    return null
  }
  const { beginTransition } = await showIn(Part)
  await beginTransition()
  await pass(1000)
  expect([...shown].sort()).toEqual([
    'debounced a for a',
    'throttled a for a',
    'use-debounce a for a',
    'use-debounce b for a',
    'usehooks-ts a for a',
    'usehooks-ts b for a',
  ])
})
