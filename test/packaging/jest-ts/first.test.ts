/** @jest-environment jsdom */
// The first tests of the other runners, typed. This environment has no fetch, no Request and no Response.
import { ClockProvider, useDebounce, useDebouncedCallback, useRateLimitedFetch } from 'lull'
import { RateLimitError } from 'lull/core'
import { createRateLimitedFetch, isRateLimitError } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { act, createElement, type ReactElement } from 'react'
import { createRoot } from 'react-dom/client'

const url = 'https://api.example/things'
const responseOf = (status: number, fields: Record<string, string> = {}): Response =>
  ({ status, ok: status < 400, headers: { get: (name) => fields[name.toLowerCase()] ?? null } }) as Response

afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
})

async function render(element: ReactElement): Promise<() => Promise<void>> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () => root.render(element))
  return () => act(async () => root.unmount())
}

test('hooks use the clock of the test', async () => {
  const clock = createManualClock()
  const saved: string[] = []
  const shown: string[] = []
  function Note({ text }: { text: string }): null {
    shown.push(useDebounce(text, 300))
    useDebouncedCallback((value: string) => saved.push(value), 300)(text)
    return null
  }
  const unmount = await render(createElement(ClockProvider, { clock }, createElement(Note, { text: 'a' })))
  await act(async () => clock.advance(300))
  expect(saved).toEqual(['a'])
  expect(new Set(shown)).toEqual(new Set(['a']))
  await unmount()
  expect(clock.pending).toBe(0)
})

test('a component fetches by a mock, and a refused call is sent again after Retry-After', async () => {
  jest.useFakeTimers()
  const mock = jest.fn<Promise<Response>, [RequestInfo | URL]>()
  mock.mockResolvedValueOnce(responseOf(429, { 'retry-after': '2' })).mockResolvedValue(responseOf(200))
  globalThis.fetch = mock
  let ask: typeof fetch | undefined
  function Asker(): null {
    ask = useRateLimitedFetch({ ratePerSecond: 5 })
    return null
  }
  const unmount = await render(createElement(Asker))
  const response = ask!(url)
  await jest.advanceTimersByTimeAsync(1999)
  expect(mock).toHaveBeenCalledTimes(1)
  await jest.advanceTimersByTimeAsync(3000)
  expect((await response).status).toBe(200)
  await unmount()
})

test('a call out of retries rejects with the error of this library', async () => {
  globalThis.fetch = async () => responseOf(429, { 'retry-after': '2' })
  const error: unknown = await createRateLimitedFetch({ maxRetries: 0, throwOnThrottle: true })(url).catch(
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(RateLimitError)
  expect(isRateLimitError(error) && error.retryAfterMs).toBeGreaterThan(0)
})
