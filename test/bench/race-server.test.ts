import { describe, expect, it } from 'vitest'
import { createBucketServer, createPausingServer } from '../../bench/race/bucket-server.js'

describe('the server of the race', () => {
  it('reports the remaining tokens, when the bucket is full, and when a token is available', () => {
    let now = 0
    const server = createBucketServer({ tells: { retryAfter: true, rateLimit: true } }, () => now)
    const policy = { 'ratelimit-policy': '"default";q=20;w=1' }
    expect(server.receive()).toEqual({ status: 200, headers: { ...policy, ratelimit: '"default";r=9;t=1' } })
    for (let i = 0; i < 9; i++) expect(server.receive().status).toBe(200)
    expect(server.receive()).toEqual({
      status: 429,
      headers: { ...policy, ratelimit: '"default";r=0;t=1', 'retry-after': '1' },
    })
    expect(server.msUntil(1)).toBeCloseTo(50, 9)
    now = 49.9
    expect(server.receive().status).toBe(429)
    now = 50
    expect(server.receive().status).toBe(200)
    expect(server.receive().status).toBe(429)
    now = 1000
    expect(server.receive().headers).toMatchObject({ ratelimit: '"default";r=9;t=1' })
  })

  it('rounds Retry-After up to whole seconds', () => {
    const server = createBucketServer({ ratePerSecond: 0.4, burst: 1, tells: { retryAfter: true } }, () => 0)
    expect(server.receive()).toEqual({ status: 200, headers: {} })
    expect(server.receive()).toEqual({ status: 429, headers: { 'retry-after': '3' } })
  })

  it('changes its rate and burst at the given instants, counted from the first request', () => {
    let now = 1000
    const changes = [
      { afterMs: 2500, factor: 0.5 },
      { afterMs: 7500, factor: 1 },
    ]
    const server = createBucketServer({ changes, tells: {} }, () => now)
    const passing = (): number => {
      let count = 0
      while (server.receive().status === 200) count++
      return count
    }
    const instants = [1000, 1400, 3400, 4500, 5400, 8400, 8700, 9400]
    const counts = instants.map((at) => {
      now = at
      return passing()
    })
    // At 3500 it is halved: 100 ms at 20 a second and 1000 ms at 10 refill more than the 5 it then holds.
    expect(counts).toEqual([10, 8, 10, 5, 5, 5, 5, 10])
    expect(server.msUntil(11)).toBe(Infinity)
  })

  it('pauses once, for 2 s from its response on', () => {
    let now = 0
    const server = createPausingServer({ pauseMs: 2000 }, () => now)
    expect(server.receive()).toEqual({ status: 429, headers: { 'retry-after': '2' } })
    now = 2024
    expect(server.receive()).toEqual({ status: 429, headers: { 'retry-after': '1' } })
    now = 2025
    expect(server.receive()).toEqual({ status: 200, headers: {} })
  })
})
