import { ClockProvider, useDebouncedCallback, useThrottledEvent } from 'lull'
import { createManualClock, type ManualClock } from 'lull/testing'
import { act, startTransition, StrictMode, useInsertionEffect, useState, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { modes, type Mode } from '../support/mount-on-clock.tsx'

const page = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }

afterEach(() => {
  page.IS_REACT_ACT_ENVIRONMENT = true
})

/**
 * Removes `children` in a transition, as a router does. Then React runs layout cleanups in the commit, and the cleanups of
 * `useEffect` in some later task; `between` runs between the two.
 */
async function removeInTransition(
  mode: Mode,
  clock: ManualClock,
  children: ReactNode,
  before: () => void,
  between: () => void,
): Promise<void> {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  let remove: () => void
  function App(): ReactNode {
    const [isThere, setThere] = useState(true)
    useInsertionEffect(() => {
      remove = () => setThere(false)
    })
    return isThere && <p>{children}</p>
  }
  const app = (
    <ClockProvider clock={clock}>
      <App />
    </ClockProvider>
  )
  page.IS_REACT_ACT_ENVIRONMENT = true
  await act(async () => {
    root.render(mode === 'plain' ? app : <StrictMode>{app}</StrictMode>)
    await Promise.resolve()
  })
  before()
  page.IS_REACT_ACT_ENVIRONMENT = false
  // Observers are told in the microtask after the commit.
  const removed = new Promise<void>((resolve) => {
    new MutationObserver((_, observer) => {
      observer.disconnect()
      resolve()
    }).observe(container, { childList: true })
  }).then(between)
  startTransition(() => remove())
  try {
    await removed
  } finally {
    page.IS_REACT_ACT_ENVIRONMENT = true
    await act(async () => {
      root.unmount()
      await Promise.resolve()
    })
    container.remove()
  }
}

describe.each(modes)('removed in a transition, %s', (mode) => {
  it.each([
    ['cancel', []],
    ['flush', [['pending']]],
  ] as const)('with onUnmount %s has ended in the commit itself', async (onUnmount, runs) => {
    const clock = createManualClock()
    const fn = vi.fn()
    let call: (text: string) => void
    function Box(): ReactNode {
      const debounced = useDebouncedCallback((text: string) => void fn(text), 100, { onUnmount })
      useInsertionEffect(() => {
        call = debounced
      })
      return null
    }
    const before = (): void => call('pending')
    await removeInTransition(mode, clock, <Box />, before, () => {
      expect(clock.pending).toBe(0)
      call('late')
      expect(clock.pending).toBe(0)
      expect(fn.mock.calls).toEqual(runs)
    })
    expect(fn.mock.calls).toEqual(runs)
  })

  it('handles no event any more', async () => {
    const clock = createManualClock()
    const target = new EventTarget()
    const fn = vi.fn()
    function Box(): ReactNode {
      useThrottledEvent(target, 'ring', fn, 100, { leading: false })
      return null
    }
    const ring = (): void => void target.dispatchEvent(new Event('ring'))
    await removeInTransition(mode, clock, <Box />, ring, () => {
      ring()
      clock.advance(1000)
      expect(fn).not.toHaveBeenCalled()
    })
    expect(clock.pending).toBe(0)
  })
})
