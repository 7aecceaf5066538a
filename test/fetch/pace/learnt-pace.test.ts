import type { FetchEvent } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start } from '../fixtures/start.ts'

/** A token bucket that says no more than 429 and whole seconds. */
function bucketServer(
  ratePerSecond: number,
  burst: number,
): ({ at }: { at: number }) => ReturnType<typeof tooMany> | 200 {
  let tokens = burst
  let last = 0
  return ({ at }) => {
    tokens = Math.min(burst, tokens + ((at - last) / 1000) * ratePerSecond)
    last = at
    if (tokens < 1) return tooMany(Math.max(1, Math.ceil((1 - tokens) / ratePerSecond)))
    tokens--
    return 200
  }
}

const patient = { maxRetries: Infinity, maxWaitMs: Infinity, maxQueue: Infinity }

describe('the learnt pace', () => {
  it('answers of the server that are late, or errors of it, change nothing of the pace: only throttles do', async () => {
    const started = start({ random: () => 0.5 }, (_, index) => ({
      status: [200, 500, 502, 503, 408][index % 5]!,
      latencyMs: 10 * 2 ** (index % 12),
    }))
    const { f, server, clock } = started
    callAll(started, paths(100))
    await clock.advanceAsync(100_000)
    expect(f.snapshot(A)!.pace).toBe(undefined)
    const before = server.requests.length
    callAll(started, paths(50))
    expect(server.requests.length - before).toBeGreaterThanOrEqual(8)
    await clock.advanceAsync(100_000)
  })

  it('the refusals that follow the first of an event teach nothing', async () => {
    const limit = bucketServer(20, 10)
    let opensAt = 0
    const started = start({ ...patient, random: () => 0 }, (received, index) => {
      const answer = limit(received)
      if (answer === 200) return answer
      // They come one after the other, and all name the same instant.
      const latencyMs = 10 * (1 + (index % 6))
      if (received.at >= opensAt) opensAt = received.at + 1000
      const waitMs = opensAt - received.at - latencyMs
      return { status: 429, headers: { 'retry-after-ms': String(waitMs) }, latencyMs }
    })
    const { f, clock, events } = started
    callAll(started, paths(200))
    /** What the pace was from each closing to the opening. */
    const paces = new Map<number, Set<number | undefined>>()
    for (let step = 0; step < 3000; step++) {
      await clock.advanceAsync(10)
      if (f.snapshot(A)!.gate.open) continue
      const closedAt = events.findLast(({ type }) => type === 'gate-closed')!.at
      const seen = paces.get(closedAt) ?? new Set()
      paces.set(closedAt, seen.add(f.snapshot(A)!.pace?.ratePerSecond))
    }
    const count = (type: FetchEvent['type']): number => events.filter((event) => event.type === type).length
    // There are several events, and more refusals than events.
    expect(count('gate-closed')).toBeGreaterThan(2)
    expect(count('throttled')).toBeGreaterThan(count('gate-closed') + 5)
    expect([...paces.values()].map(({ size }) => size)).toEqual(Array(count('gate-closed')).fill(1))
    await clock.advanceAsync(60_000)
  })
})
