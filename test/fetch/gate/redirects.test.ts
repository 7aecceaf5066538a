import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, B, callAll, start, statusesOf, watch } from '../fixtures/start.ts'

/** A 429 that came from `url`, after redirects. Over HTTP they are in real-server-redirects.test.ts. */
function refusedAt(url: string, seconds: number): Response {
  const response = new Response(null, tooMany(seconds))
  Object.defineProperty(response, 'url', { value: url })
  return response
}

describe('R57 a throttle at the end of a redirect', () => {
  it('R57 closes the gate of the origin that it came from; the call sleeps, and its own origin goes on', async () => {
    const started = start({}, [refusedAt(`${B}/moved`, 2)])
    const { f, server, clock, events } = started
    const calls = callAll(started, ['/1'])
    await clock.advanceAsync(10)
    expect(f.snapshot(B)?.gate).toMatchObject({ open: false, until: 2010 })
    expect(f.snapshot(A)).toMatchObject({ gate: { open: true }, sleeping: 1, queued: 0 })
    expect(events.filter(({ type }) => type === 'gate-closed')).toMatchObject([{ key: B, until: 2010 }])
    calls.push(...callAll(started, ['/2']))
    await clock.advanceAsync(5000)
    expect(server.paths()).toEqual(['/1', '/2', '/1'])
    expect(server.at()).toEqual([0, 10, 2010])
    expect(statusesOf(calls)).toEqual([200, 200])
  })

  it('R57 R42 refuses at once those who would wait there for too long', async () => {
    const started = start({ concurrency: 1 }, [{ status: 200, latencyMs: 500 }, refusedAt(`${B}/moved`, 100)])
    const { f, clock } = started
    const busy = watch(f(`${B}/1`), clock)
    const waits = watch(f(`${B}/2`), clock)
    callAll(started, ['/moves'], { method: 'POST' })
    await clock.advanceAsync(10)
    expect(waits).toMatchObject({ state: 'rejected', at: 10, error: { code: 'wait-too-long' } })
    await clock.advanceAsync(1000)
    expect(busy.response?.status).toBe(200)
  })

  it('R57 R4 the error names the bucket whose gate is closed', async () => {
    const started = start({ throwOnThrottle: true, maxRetries: 0 }, [refusedAt(`${B}/moved`, 2)])
    const calls = callAll(started, ['/1'])
    await started.clock.advanceAsync(10)
    expect(calls[0]!.error).toMatchObject({ code: 'throttled', retryAfterMs: 2000, bucket: B })
  })

  it('R57 is charged to its own bucket where the user names the buckets', async () => {
    const started = start({ key: () => 'a' }, [refusedAt(`${B}/moved`, 2)])
    const { f, clock } = started
    callAll(started, ['/1'])
    await clock.advanceAsync(10)
    expect(f.snapshot('a')).toMatchObject({ gate: { open: false }, queued: 1 })
    await clock.advanceAsync(5000)
  })
})
