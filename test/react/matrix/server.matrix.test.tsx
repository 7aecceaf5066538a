// @vitest-environment node
import * as lull from 'lull'
import type { Clock } from 'lull/core'
import type { RateLimitedFetch } from 'lull/fetch'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { version, type ReactNode } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { beforeEach, expect, it, vi } from 'vitest'
import { everyHook } from '../support/every-hook.tsx'
import { HtmlEditor } from '../../../docs/recipes/functions/use-debounce.tsx'

// No page globals are defined, so any access fails.
expect(typeof window).toBe('undefined')

/** A clock without timers and date, as during prerendering. */
const clock: Clock = {
  now: () => 0,
  wall() {
    throw new Error('the date on the server')
  },
  after() {
    throw new Error('a timer on the server')
  },
}

const timers = ['setTimeout', 'setInterval'] as const

beforeEach(() => {
  for (const name of timers) vi.spyOn(globalThis, name)
})

const expectNoTimer = (): void => {
  for (const name of timers) expect(globalThis[name]).not.toHaveBeenCalled()
}

it('runs with the declared React version and compiler', () => {
  expect(version.split('.')[0]).toBe(process.env['REACT'])
  // A compiled component keeps its parts in numbered slots.
  expect(/\$\[0\]/.test(HtmlEditor.toString())).toBe(process.env['COMPILED'] === 'true')
})

it.each(Object.entries(everyHook))(
  '%s is rendered to a string, and to a stream, with no timer',
  async (_, [Hook, shown]) => {
    const onClock: ReactNode = (
      <lull.ClockProvider clock={clock}>
        <Hook />
      </lull.ClockProvider>
    )
    expect([renderToString(<Hook />), renderToString(onClock)]).toEqual([shown, shown])
    expectNoTimer()
    const streamed = text(renderToPipeableStream(onClock).pipe(new PassThrough()))
    expect(await streamed).toBe(shown)
  },
)

it('keeps the shared fetch of one request separate from that of another', () => {
  const fetches: RateLimitedFetch[] = []
  const Request = (): ReactNode => {
    const fetch = lull.useRateLimitedFetch()
    fetches.push(fetch)
    return String(lull.useRateLimitStatus(fetch).gate.open)
  }
  renderToString(<Request />)
  fetches[0]!.pause()
  expect(renderToString(<Request />)).toBe('true')
  expect(fetches[1]).not.toBe(fetches[0])
  expectNoTimer()
})
