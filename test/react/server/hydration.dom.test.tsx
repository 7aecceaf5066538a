import { render } from '@testing-library/react'
import { ClockProvider } from 'lull'
import { createManualClock } from 'lull/testing'
import { renderToString } from 'react-dom/server'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { everyHook } from '../support/every-hook.tsx'
import { stubResizeObserver } from '../support/fake-resize-observer.ts'
import { createOnClock, modes, renderOn } from '../support/render.tsx'

beforeEach(() => void stubResizeObserver())

// server.matrix.test.tsx tests the server output with the same table.
describe.each(modes)('the first browser render equals the server output, %s', (mode) => {
  it.each(Object.entries(everyHook))('%s, hydrated and mounted', (_, [Hook, text]) => {
    const clock = createManualClock()
    const hook = (
      <ClockProvider clock={clock}>
        <Hook />
      </ClockProvider>
    )
    const container = document.createElement('div')
    container.innerHTML = renderToString(hook)
    expect(container.textContent).toBe(text)
    const onRecoverableError = vi.fn()
    const reactStrictMode = mode === 'StrictMode'
    const hydrated = render(hook, { container, hydrate: true, reactStrictMode, onRecoverableError })
    expect(container.textContent).toBe(text)
    expect(onRecoverableError).not.toHaveBeenCalled()
    expect(clock.pending).toBe(0)
    hydrated.unmount()

    const { container: mounted, unmount } = renderOn(createOnClock(mode), <Hook />)
    expect(mounted.textContent).toBe(text)
    unmount()
  })
})

it.each(Object.entries(everyHook))('%s removes its listeners when it unmounts', (_, [Hook]) => {
  const spies = [window, document].map((target) => ({
    add: vi.spyOn(target, 'addEventListener'),
    remove: vi.spyOn(target, 'removeEventListener'),
  }))
  const { unmount } = renderOn(createOnClock('StrictMode'), <Hook />)
  unmount()
  const left = spies.flatMap(({ add, remove }) =>
    add.mock.calls.filter(
      ([type, listener]) => !remove.mock.calls.some(([other, heard]) => other === type && heard === listener),
    ),
  )
  // React's own listeners, added once per document.
  expect(left.map(([type]) => type).filter((type) => type !== 'selectionchange')).toEqual([])
})
