import { useBatch, useDebounce, useDebouncedAsync, useDebouncedCallback, useRateLimitedFetch } from 'lull'
import { act, fireEvent } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { performReactRefresh, register } from 'react-refresh/runtime'
import { expect, it } from 'vitest'
import { createOnClock, renderOn } from '../support/render.tsx'

const log: string[] = []

/** The component in one version of its code. */
const boxOf = (version: number, onUnmount: 'cancel' | 'flush') =>
  function Box(): ReactNode {
    const [text, setText] = useState('')
    const shown = useDebounce(text, 100)
    const save = useDebouncedCallback((draft: string) => void log.push(`saved ${draft} by ${version}`), 100, {
      onUnmount,
    })
    const { run } = useDebouncedAsync((_, draft: string) => log.push(`sent ${draft} by ${version}`), 100)
    const { add } = useBatch((items: string[]) => void log.push(`batch ${items.join()} by ${version}`), {
      wait: 100,
    })
    const fetch = useRateLimitedFetch({
      fetch: () => Promise.resolve(new Response(`response to ${version}`)),
    })
    return (
      <>
        <input
          value={text}
          onChange={({ target: { value } }) => {
            setText(value)
            save(value)
            void run(value)
            void add(value)
            fetch('http://api.test/').then(
              () => log.push('fetched'),
              (error: unknown) => log.push(String(error)),
            )
          }}
        />
        <p>{`${shown} in ${version}`}</p>
      </>
    )
  }

it.each(['cancel', 'flush'] as const)(
  'keeps pending calls after a code update, with onUnmount %s',
  async (onUnmount) => {
    const [First, Second] = [boxOf(1, onUnmount), boxOf(2, onUnmount)]
    log.length = 0
    register(First, 'Box')
    const { advanceAsync, ...onClock } = createOnClock()
    const { container } = renderOn(onClock, <First />)
    const text = (): string => container.querySelector('p')!.textContent
    const type = (value: string) => fireEvent.change(container.querySelector('input')!, { target: { value } })
    type('a')
    await advanceAsync(30)
    register(Second, 'Box')
    await act(async () => {
      performReactRefresh()
      await Promise.resolve()
    })
    expect(log).not.toContain('saved a by 2')
    expect(text()).toBe(' in 2')
    await advanceAsync(1000)
    expect(text()).toBe('a in 2')
    expect(log.sort()).toEqual(['batch a by 2', 'fetched', 'saved a by 2', 'sent a by 2'])
    log.length = 0
    type('ab')
    await advanceAsync(1000)
    expect(text()).toBe('ab in 2')
    expect(log.sort()).toEqual(['batch ab by 2', 'fetched', 'saved ab by 2', 'sent ab by 2'])
  },
)
