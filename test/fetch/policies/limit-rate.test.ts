import { fixedWindow, slidingWindowLog, tokenBucket, type Rule } from 'lull/core'
import { limitRate, type RateLimitedFetch } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { A, callAll, compose, type Composed, paths, play } from '../fixtures/start.ts'

type Limit = Parameters<typeof limitRate>[0]

const startWith = (limit: Limit): Composed => compose([limitRate(limit)], { maxWaitMs: Infinity })

const limitsOf = ({ f }: { f: Pick<RateLimitedFetch, 'snapshot'> }) => f.snapshot(A)!.limits!

describe('a limit of the rate', () => {
  it.each([
    ['grants no more than its burst', 2, 5, 1],
    ['takes what is too much', 5, 2, 1],
    ['takes less, if less is left', 5, 4, 3],
  ])('%s when changed from %i to %i', async (_, before, burst, tokens) => {
    let limit = tokenBucket({ ratePerSecond: 1, burst: before })
    const started = startWith(() => limit)
    await play(started, '/ +10000')
    limit = tokenBucket({ ratePerSecond: 1, burst })
    void started.f(A)
    expect({ ...limitsOf(started) }).toEqual({ ratePerSecond: 1, burst, tokens })
  })

  it('begins with its `initial`; a new one takes over what is left instead', async () => {
    let limit = tokenBucket({ ratePerSecond: 1, burst: 5, initial: 1 })
    const started = startWith(() => limit)
    await play(started, '*2 +4000')
    expect(started.server.at()).toEqual([0, 1000])
    limit = tokenBucket({ ratePerSecond: 1, burst: 4, initial: 0 })
    void started.f(A)
    expect(limitsOf(started).tokens).toBe(2)
  })

  it('shows the limit in force, and the remaining amount when read', async () => {
    let limit: Rule | undefined = tokenBucket({ ratePerSecond: 2, burst: 2 })
    const started = startWith(() => limit)
    callAll(started, paths(2))
    const first = limitsOf(started)
    expect({ ...first }).toEqual({ ratePerSecond: 2, burst: 2, tokens: 0 })
    await started.clock.advanceAsync(250)
    expect(first.tokens).toBe(0.5)
    expect(limitsOf(started)).toBe(first)
    limit = undefined
    void started.f(A)
    expect(limitsOf(started)).toBeUndefined()
  })

  it('keeps one limit for a rule recreated each time, until its numbers change', async () => {
    let windowMs = 3000
    const started = startWith(() => slidingWindowLog({ limit: 1, windowMs }))
    await play(started, '*3 +6000')
    windowMs = 1000
    await play(started, '*2 +2000')
    expect(started.server.at()).toEqual([0, 3000, 6000, 7000, 8000])
  })

  it('may be that of a window', async () => {
    const started = startWith(fixedWindow({ limit: 2, windowMs: 1000 }))
    await play(started, '*3 +1000')
    expect(started.server.at()).toEqual([0, 0, 1000])
  })

  it('is full again after a reset', async () => {
    const started = startWith(tokenBucket({ ratePerSecond: 1, burst: 3 }))
    await play(started, '*3 reset *4 +2000')
    expect(started.server.at()).toEqual([0, 0, 0, 0, 0, 0, 1000])
  })

  it.each([
    [99_000, 197_990, true],
    [99_000, 198_000, false],
  ])('keeps its bucket until it is full again: a token in %d ms, after %d', async (tokenMs, ms, isKept) => {
    const rule = tokenBucket({ ratePerSecond: 1000 / tokenMs, burst: 3 })
    const started = compose([limitRate(rule)], { maxBuckets: 1 })
    await play(started, `*2 +${ms} https://b.test/`)
    expect(started.f.snapshot(A) !== undefined).toBe(isKept)
  })
})
