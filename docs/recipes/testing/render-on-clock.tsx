import { act, render, screen } from '@testing-library/react'
import {
  ClockProvider,
  RateLimitProvider,
  useRateLimitedFetch,
} from 'lull'
import type { RateLimitedFetchOptions } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { useEffect, useState, type ReactElement } from 'react'
import { expect, it } from 'vitest'

/** Renders with a clock and a rate-limited fetch for this test alone. */
function renderOnClock(
  ui: ReactElement,
  options: RateLimitedFetchOptions = {},
) {
  const clock = createManualClock()
  const rendered = render(ui, {
    wrapper: ({ children }) => (
      <ClockProvider clock={clock}>
        <RateLimitProvider options={options}>{children}</RateLimitProvider>
      </ClockProvider>
    ),
  })
  return { clock, ...rendered }
}

function News() {
  const fetch = useRateLimitedFetch()
  const [news, setNews] = useState('loading')
  useEffect(() => {
    const controller = new AbortController()
    fetch('https://api.example/news', { signal: controller.signal })
      .then((response) => response.text())
      .then(setNews, () => undefined)
    return () => controller.abort()
  }, [fetch])
  return <p>{news}</p>
}

it('shows the news once the server lets us in', async () => {
  const responses = [
    new Response(null, { status: 429, headers: { 'Retry-After': '2' } }),
    new Response('It rains'),
  ]
  const { clock } = renderOnClock(<News />, {
    fetch: () => Promise.resolve(responses.shift()!),
    // No jitter.
    random: () => 0,
  })
  await act(() => clock.advanceAsync(1999))
  expect(screen.getByText('loading')).toBeTruthy()
  await act(() => clock.advanceAsync(1))
  expect(screen.getByText('It rains')).toBeTruthy()
})
