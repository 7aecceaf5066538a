import { ClockProvider, useRateLimitedFetch, useRateLimitStatus } from 'lull'
import * as lull from 'lull'
import type { Clock } from 'lull/core'
import type { RateLimitedFetch } from 'lull/fetch'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { everyHook } from '../support/every-hook.tsx'

// Nothing of a page is here, so that touching it fails.
expect(typeof window).toBe('undefined')

/** A clock that nobody has to ask for a timer, nor for the date: a page that is rendered ahead of time has none. */
const clock: Clock = {
  now: () => 0,
  wall() {
    throw new Error('the date on the server')
  },
  after() {
    throw new Error('a timer on the server')
  },
}

describe('on the server', () => {
  const globals = ['setTimeout', 'setInterval', 'setImmediate'] as const

  beforeEach(() => {
    for (const name of globals) vi.spyOn(globalThis, name)
    vi.spyOn(console, 'error')
  })

  afterEach(() => {
    for (const name of globals) expect(globalThis[name]).not.toHaveBeenCalled()
    expect(console.error).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  it('every hook is in the table', () => {
    const hooks = Object.keys(lull).filter((name) => name.startsWith('use') && name !== 'useClock')
    expect(Object.keys(everyHook)).toEqual(expect.arrayContaining(hooks))
  })

  it.each(Object.entries(everyHook))(
    '%s renders what it shows at first, with no timer',
    (_, [Hook, text]) => {
      expect(renderToString(<Hook />)).toBe(text)
      const onClock = (
        <ClockProvider clock={clock}>
          <Hook />
        </ClockProvider>
      )
      expect(renderToString(onClock)).toBe(text)
    },
  )

  it('what one request does to its fetch, another does not see', () => {
    const fetches: RateLimitedFetch[] = []
    const Request = (): ReactNode => {
      const fetch = useRateLimitedFetch()
      fetches.push(fetch)
      return String(useRateLimitStatus(fetch).gate.open)
    }
    renderToString(<Request />)
    fetches[0]!.pause()
    expect(renderToString(<Request />)).toBe('true')
    expect(fetches[1]).not.toBe(fetches[0])
  })
})
