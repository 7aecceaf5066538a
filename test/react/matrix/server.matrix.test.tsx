// @vitest-environment node
import { ClockProvider } from 'lull'
import type { Clock } from 'lull/core'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { everyHook } from '../support/every-hook.tsx'

// Nothing of a page is here, so that touching it fails.
expect(typeof window).toBe('undefined')

const clock: Clock = {
  now: () => 0,
  wall: () => 0,
  after() {
    throw new Error('a timer on the server')
  },
}

beforeEach(() => void vi.spyOn(console, 'error'))

afterEach(() => {
  expect(console.error).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

it.each(Object.entries(everyHook))(
  '%s is rendered to a string, and to a stream',
  async (_, [Hook, shown]) => {
    const element: ReactNode = (
      <ClockProvider clock={clock}>
        <Hook />
      </ClockProvider>
    )
    expect(renderToString(element)).toBe(shown)
    const streamed = text(renderToPipeableStream(element).pipe(new PassThrough()))
    expect(await streamed).toBe(shown)
  },
)
