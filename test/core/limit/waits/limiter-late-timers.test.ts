import {
  allOf,
  createWaitingLimiter,
  createQueue,
  gcra,
  slidingWindowLog,
  tokenBucket,
  type WaitingLimiter,
  type Rule,
} from 'lull/core'
import { describe, expect, it } from 'vitest'
import { createBusyClock } from '../../time/clocks.ts'
import { settled } from '../../shared/promises.ts'

const rules: [name: string, make: () => Rule][] = [
  ['token bucket', () => tokenBucket({ ratePerSecond: 10, burst: 3 })],
  ['gcra', () => gcra({ ratePerSecond: 10, burst: 3 })],
  ['sliding window log', () => slidingWindowLog({ limit: 3, windowMs: 100 })],
]

describe.each(rules)('a limiter whose timer is late: %s', (_, rule) => {
  /** One waits, for whom and for more there has long been room; but the thread was busy. */
  async function waitAndBlock(): Promise<ReturnType<typeof createBusyClock> & { limiter: WaitingLimiter }> {
    const busy = createBusyClock()
    const limiter = createWaitingLimiter(rule(), { clock: busy.clock })
    limiter.allow(3)
    void limiter.wait()
    busy.block(1000)
    await settled()
    return { ...busy, limiter }
  }

  it('says that a cost is refused when it is, and never to try again in 0 ms: law 2', async () => {
    const { limiter, advance } = await waitAndBlock()
    expect(limiter.peek(0.5).allowed).toBe(false)
    expect(limiter.peek(0.5).retryAfterMs).toBeGreaterThan(0)
    const decision = limiter.decide(0.5)
    expect(decision.allowed).toBe(false)
    expect(decision.retryAfterMs).toBeGreaterThan(0)
    advance(1000)
  })

  it('has a queue that shares it start nothing that it does not allow', async () => {
    const { limiter, advance, clock } = await waitAndBlock()
    const queue = createQueue({ limiter, clock })
    const starts: number[] = []
    void queue.add(() => starts.push(clock.now()))
    await settled()
    expect(starts).toEqual([])
    expect(limiter.snapshot().allowed).toBe(1)
    advance(1000)
    await settled()
    expect(starts).toHaveLength(1)
    expect(limiter.snapshot().allowed).toBe(3)
  })

  it('is asked together with others, and none of them is taken from', async () => {
    const { limiter, advance, clock } = await waitAndBlock()
    const other = createWaitingLimiter(tokenBucket({ ratePerSecond: 1, burst: 5 }), { clock })
    const both = allOf(other, limiter)
    expect(both.peek(0.5).allowed).toBe(false)
    expect(both.decide(0.5)).toMatchObject({ allowed: false })
    expect(both.decide(0.5).retryAfterMs).toBeGreaterThan(0)
    expect(other.remaining()).toBe(5)
    advance(1000)
  })
})
