import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { RateLimitProvider, useRateLimitedFetch } from 'lull'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { jsonQuery } from '../../docs/recipes/tanstack-query.ts'
import { tooMany } from '../fetch/fixtures/fake-server.ts'
import { A, start, type Started } from '../fetch/fixtures/start.ts'

const json = { status: 200, headers: { 'content-type': 'application/json' }, body: '"content"' }

// The library's own timers, so that it has had its time when a test says that it did nothing.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** Moves both clocks on. */
const pass = ({ clock }: Started, ms: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(0)
    await clock.advanceAsync(ms)
    await vi.advanceTimersByTimeAsync(ms)
  })

function Shown({ path }: { path: string }): ReactNode {
  const fetch = useRateLimitedFetch()
  const { data, error } = useQuery(jsonQuery<string>(fetch, A + path))
  return <p>{error?.message ?? data ?? 'loading'}</p>
}

function show({ f }: Started, client: QueryClient, element: ReactNode) {
  onTestFinished(() => client.clear())
  // Not in StrictMode, whose second mount aborts the query of the first and sends another.
  return render(
    <RateLimitProvider fetch={f}>
      <QueryClientProvider client={client}>{element}</QueryClientProvider>
    </RateLimitProvider>,
  )
}

describe('R164 TanStack Query with the recipe', () => {
  it('R164 a server that only fails is asked three times for one query', async () => {
    const started = start({}, () => 503)
    show(started, new QueryClient(), <Shown path="/x" />)
    await pass(started, 1000)
    expect(screen.getByText(`${A}/x: 503`)).toBeTruthy()
    await pass(started, 3_600_000)
    expect(started.server.requests).toHaveLength(3)
  })

  it('R164 R165 it is pending while the server has it wait, and then shows what it has got', async () => {
    const started = start({}, [tooMany(20), json])
    show(started, new QueryClient(), <Shown path="/x" />)
    await pass(started, 10)
    expect(started.f.snapshot(A)).toMatchObject({ queued: 1, gate: { open: false } })
    await pass(started, 19_999)
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(started, 11)
    expect(screen.getByText('content')).toBeTruthy()
    expect(started.server.at()).toEqual([0, 20_010])
  })

  it('R103 a query that is cancelled leaves the queue, and nothing is sent', async () => {
    const started = start()
    const { f, server } = started
    const client = new QueryClient()
    f.pause()
    show(started, client, <Shown path="/x" />)
    await pass(started, 10)
    expect(f.snapshot(A)?.queued).toBe(1)
    await act(() => client.cancelQueries())
    expect(f.snapshot(A)?.queued).toBe(0)
    f.resume()
    await pass(started, 1000)
    expect(server.calls).toBe(0)
  })

  it('R105 R104 a query whose last observer goes is aborted, in flight and asleep', async () => {
    const started = start({ random: () => 0.5 }, () => 500)
    const { f, server } = started
    for (const ms of [5, 20]) {
      const { unmount } = show(started, new QueryClient(), <Shown path="/x" />)
      await pass(started, ms)
      expect(f.snapshot(A)).toMatchObject(ms === 5 ? { inFlight: 1 } : { sleeping: 1 })
      unmount()
      await pass(started, 0)
      expect(f.snapshot(A)).toMatchObject({ inFlight: 0, sleeping: 0, queued: 0 })
    }
    await pass(started, 60_000)
    expect(server.requests).toHaveLength(2)
  })
})
