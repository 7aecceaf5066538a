import type { RateLimitedFetchOptions } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, B, run } from '../fixtures/start.ts'

/** A 429 that came from `url`, after redirects. Over HTTP they are in over-http.test.ts. */
const refusedAt = (url: string, seconds: number): Response =>
  Object.defineProperty(new Response(null, tooMany(seconds)), 'url', { value: url })

describe('a throttle at the end of a redirect', () => {
  it('closes the gate of the origin that it came from; the call sleeps, and its own origin goes on', async () => {
    const moves = [refusedAt(`${B}/moved`, 2)]
    const { f, events } = await run({ calls: '/1', answers: moves, untilMs: 10 })
    expect(f.snapshot(B)?.gate).toMatchObject({ open: false, until: 2010 })
    expect(f.snapshot(A)).toMatchObject({ gate: { open: true }, sleeping: 1, queued: 0 })
    expect(events.filter(({ type }) => type === 'gate-closed')).toMatchObject([{ key: B, until: 2010 }])
    f.dispose()
    const { server, ends } = await run({ calls: '/1 10:/2', answers: moves })
    expect(server.paths()).toEqual(['/1', '/2', '/1'])
    expect(ends).toBe('200@2020 200@20')
  })

  it('refuses at once those who would wait there for too long', async () => {
    const answers = [{ status: 200, latencyMs: 500 }, refusedAt(`${B}/moved`, 100)]
    const { ends } = await run({ calls: `${B}/1 ${B}/2 POST/moves`, answers, options: { concurrency: 1 } })
    expect(ends).toBe('200@500 wait-too-long@10 429@10')
  })

  it('is an error that names the bucket whose gate is closed', async () => {
    const options: RateLimitedFetchOptions = { throwOnThrottle: true, maxRetries: 0 }
    const { outcomes } = await run({ calls: '/1', answers: [refusedAt(`${B}/moved`, 2)], options })
    expect(outcomes[0]!.error).toMatchObject({ code: 'throttled', retryAfterMs: 2000, bucket: B })
  })

  it('is charged to its own bucket where the user names the buckets', async () => {
    const { sent, events } = await run({
      calls: '/1',
      answers: [refusedAt(`${B}/moved`, 2)],
      options: { key: () => 'a' },
    })
    expect(events.find(({ type }) => type === 'gate-closed')).toMatchObject({ key: 'a' })
    expect(sent).toBe('0 2010')
  })
})
