import { act, render, screen } from '@testing-library/react'
import { RateLimitProvider, useRateLimitedFetch } from 'lull'
import { StrictMode, type ReactNode } from 'react'
import useSWR, { SWRConfig } from 'swr'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { rateLimitedConfig } from '../../docs/recipes/swr.ts'
import { tooMany } from '../fetch/fixtures/fake-server.ts'
import { A, start, type Started } from '../fetch/fixtures/start.ts'

const json = { status: 200, headers: { 'content-type': 'application/json' }, body: '"content"' }

// SWR's own timers, so that it has had its time when a test says that it did nothing.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** Moves both clocks on. */
const pass = ({ clock }: Started, ms: number): Promise<void> =>
  act(async () => {
    await clock.advanceAsync(ms)
    await vi.advanceTimersByTimeAsync(ms)
  })

function Shown({ path }: { path: string }): ReactNode {
  const { data, error } = useSWR<string, Error>(A + path)
  return <p>{error?.message ?? data ?? 'loading'}</p>
}

function Paced({ children }: { children: ReactNode }): ReactNode {
  const fetch = useRateLimitedFetch()
  return <SWRConfig value={{ ...rateLimitedConfig(fetch), provider: () => new Map() }}>{children}</SWRConfig>
}

function show({ f }: Started, ...elements: ReactNode[]): void {
  render(
    <StrictMode>
      <RateLimitProvider fetch={f}>
        <Paced>{elements}</Paced>
      </RateLimitProvider>
    </StrictMode>,
  )
}

describe('R164 SWR with the recipe', () => {
  it('R164 a server that only fails is asked three times for one key', async () => {
    const started = start({}, () => 503)
    show(started, <Shown key="1" path="/x" />, <Shown key="2" path="/x" />)
    await pass(started, 1000)
    expect(screen.getAllByText(`${A}/x: 503`)).toHaveLength(2)
    await pass(started, 3_600_000)
    expect(started.server.requests).toHaveLength(3)
  })

  it('R164 R165 it loads while the server has it wait, and then shows what it has got', async () => {
    const started = start({}, [tooMany(20), json, json])
    const slow = vi.fn()
    show(
      started,
      <SWRConfig key="1" value={{ onLoadingSlow: slow }}>
        <Shown path="/x" />
      </SWRConfig>,
    )
    await pass(started, 10)
    expect(started.f.snapshot(A)?.gate.open).toBe(false)
    await pass(started, 19_999)
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(started, 11)
    expect(screen.getByText('content')).toBeTruthy()
    expect(started.server.at()).toEqual([0, 20_010])
    expect(slow).not.toHaveBeenCalled()
  })

  it('R49 one that is refused has the others wait', async () => {
    const started = start({}, ({ url }, index) => (index === 0 ? tooMany(2) : { ...json, body: `"${url}"` }))
    show(started, <Shown key="1" path="/1" />)
    await pass(started, 10)
    show(started, <Shown key="2" path="/2" />)
    await pass(started, 1999)
    expect(started.server.paths()).toEqual(['/1'])
    await pass(started, 10_000)
    expect(started.server.paths()).toEqual(['/1', '/1', '/2'])
    expect(screen.getByText(`${A}/2`)).toBeTruthy()
  })
})
