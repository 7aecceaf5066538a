import fc from 'fast-check'
import { expect, it } from 'vitest'
import { A, start } from '../fixtures/start.ts'
import { type Of, recordsOf } from '../../laws/steps.ts'
import { forAllAsync } from '../../laws/tries.ts'

/** Calls: the delay after the previous one, and the latency. */
const arrivals = recordsOf(40, {
  gap: fc.oneof(fc.constant(0), fc.nat(20), fc.nat(3000)),
  latency: fc.oneof(fc.nat(20), fc.nat(500)),
})

const anyLimits = fc.record({
  /** Powers of two, so that every instant is exact in binary. */
  tokenMs: fc.constantFrom(1, 2, 8, 64, 1024),
  burst: fc.constantFrom(1, 2, 3, 5, 10),
  concurrency: fc.constantFrom(1, 2, 3, Infinity),
})
type Limits = Of<typeof anyLimits>

/** The expected send times: as soon as the previous call is sent, a slot is free and a token is available. */
function expectedInstants(calls: readonly { at: number; latency: number }[], limits: Limits): number[] {
  const sent: number[] = []
  const answered: number[] = []
  // Tokens are counted in ms.
  let level = limits.burst * limits.tokenMs
  let levelAt = 0
  for (const { at, latency } of calls) {
    const earliest = Math.max(at, sent.at(-1) ?? 0)
    const hasSlot = (instant: number): boolean =>
      answered.filter((other) => other > instant).length < limits.concurrency
    let instant = [earliest, ...answered.filter((other) => other > earliest)]
      .sort((a, b) => a - b)
      .find(hasSlot)!
    level = Math.min(level + instant - levelAt, limits.burst * limits.tokenMs)
    if (level < limits.tokenMs) {
      instant += limits.tokenMs - level
      level = limits.tokenMs
    }
    level -= limits.tokenMs
    levelAt = instant
    sent.push(instant)
    answered.push(instant + latency)
  }
  return sent
}

it('sends a request as soon as a token and a slot are free, at most rate · L + burst in any time L', async () => {
  await forAllAsync(100, arrivals, anyLimits, async (script, limits) => {
    const { tokenMs, burst, concurrency } = limits
    const respond = ({ url }: { url: string }) => ({
      status: 200,
      latencyMs: Number(new URL(url).pathname.slice(1)),
    })
    const { f, clock, server } = start({ ratePerSecond: 1000 / tokenMs, burst, concurrency }, respond)
    const calls: { at: number; latency: number }[] = []
    const answers: Promise<Response>[] = []
    for (const { gap, latency } of script) {
      await clock.advanceAsync(gap)
      calls.push({ at: clock.now(), latency })
      answers.push(f(`${A}/${latency}`))
    }
    await clock.advanceAsync(100_000)
    await Promise.all(answers)

    const at = server.at()
    expect(at).toEqual(expectedInstants(calls, limits))
    for (const [from, start] of at.entries())
      for (const [index, end] of at.slice(from).entries())
        expect((index + 1) * tokenMs).toBeLessThanOrEqual(end - start + burst * tokenMs)
    expect(server.peak).toBeLessThanOrEqual(concurrency)
    expect(clock.pending).toBe(0)
  })
})
