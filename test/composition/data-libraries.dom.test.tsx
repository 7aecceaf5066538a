// The recipes for SWR and TanStack Query: the rate-limited fetch decides on delays and retries.
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { RateLimitProvider, useRateLimitedFetch } from 'lull'
import type { ComponentType, ReactNode } from 'react'
import useSWR, { SWRConfig } from 'swr'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { rateLimitedConfig } from '../../docs/recipes/swr.ts'
import { jsonQuery } from '../../docs/recipes/tanstack-query.ts'
import { json, tooMany } from '../fetch/fixtures/fake-server.ts'
import { A, start, type Started } from '../fetch/fixtures/start.ts'

// Fakes the libraries' own timers, so that they have time to act where a test expects no action.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))

/** Advances both clocks. */
const pass = ({ clock }: Started, ms: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(0)
    await clock.advanceAsync(ms)
    await vi.advanceTimersByTimeAsync(ms)
  })

interface Library {
  Provider: ComponentType<{ children: ReactNode }>
  Shown: ComponentType<{ path: string }>
  /** In TanStack Query, the second mount of StrictMode aborts the first query and sends another. */
  reactStrictMode: boolean
}

const slow = vi.fn()
let client: QueryClient

const swr: Library = {
  Provider({ children }) {
    const config = rateLimitedConfig(useRateLimitedFetch())
    return (
      <SWRConfig value={{ ...config, provider: () => new Map(), onLoadingSlow: slow }}>{children}</SWRConfig>
    )
  },
  Shown({ path }) {
    const { data, error } = useSWR<string, Error>(A + path)
    return <p>{error?.message ?? data ?? 'loading'}</p>
  },
  reactStrictMode: true,
}

const tanstack: Library = {
  Provider: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  Shown({ path }) {
    const { data, error } = useQuery(jsonQuery<string>(useRateLimitedFetch(), A + path))
    return <p>{error?.message ?? data ?? 'loading'}</p>
  },
  reactStrictMode: false,
}

function show({ Provider, Shown, reactStrictMode }: Library, { f }: Started, ...paths: string[]) {
  client = new QueryClient()
  const shownClient = client
  onTestFinished(() => shownClient.clear())
  return render(
    <RateLimitProvider fetch={f}>
      <Provider>
        {paths.map((path, key) => (
          <Shown key={key} path={path} />
        ))}
      </Provider>
    </RateLimitProvider>,
    { reactStrictMode },
  )
}

describe.each(Object.entries({ swr, tanstack }))('%s with the recipe', (_, library) => {
  it('sends three requests for one key when the server always fails', async () => {
    const started = start({}, () => 503)
    show(library, started, '/x', '/x')
    await pass(started, 1000)
    expect(screen.getAllByText(`${A}/x: 503`)).toHaveLength(2)
    await pass(started, 3_600_000)
    expect(started.server.requests).toHaveLength(3)
  })

  it('stays in the loading state during a cooldown without a slow-loading event, then shows the result', async () => {
    const started = start({}, [tooMany(20), json('content')])
    show(library, started, '/x')
    await pass(started, 10)
    expect(started.f.snapshot(A)).toMatchObject({ queued: 1, gate: { open: false } })
    await pass(started, 19_999)
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(started, 11)
    expect(screen.getByText('content')).toBeTruthy()
    expect(started.server.at()).toEqual([0, 20_010])
    expect(slow).not.toHaveBeenCalled()
  })

  it('delays other requests after a refusal', async () => {
    const started = start({}, ({ url }, index) => (index === 0 ? tooMany(2) : json(url)))
    show(library, started, '/1')
    await pass(started, 10)
    show(library, started, '/2')
    await pass(started, 1999)
    expect(started.server.paths()).toEqual(['/1'])
    await pass(started, 10_000)
    expect(started.server.paths()).toEqual(['/1', '/1', '/2'])
    expect(screen.getByText(`${A}/2`)).toBeTruthy()
  })
})

it('aborts a TanStack Query request when its last observer unmounts, in flight and during backoff', async () => {
  const started = start({ random: () => 0.5 }, () => 500)
  const { f, server } = started
  for (const ms of [5, 20]) {
    const { unmount } = show(tanstack, started, '/x')
    await pass(started, ms)
    expect(f.snapshot(A)).toMatchObject(ms === 5 ? { inFlight: 1 } : { sleeping: 1 })
    unmount()
    await pass(started, 0)
    expect(f.snapshot(A)).toMatchObject({ inFlight: 0, sleeping: 0, queued: 0 })
  }
  await pass(started, 60_000)
  expect(server.requests).toHaveLength(2)
})
