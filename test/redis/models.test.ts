import fc from 'fast-check'
import { createLimiter } from 'lull/core'
import { createRedisLimiter, withIoredis } from 'lull/redis'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { withGivenTime } from './given-time.ts'
import { rulePairs } from './rules.ts'
import { startServer } from './servers/server.ts'

const server = await startServer([], 'file')
let scripts = 0

const step = fc.record({
  op: fc.constantFrom('decide', 'decide', 'decide', 'peek'),
  cost: fc.constantFrom(1, 1, 1, 2, 0, 0.5, 3),
  // Back too, as a clock that is set does.
  elapsedMs: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 100_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -50_000, max: -1 }) },
    { weight: 1, arbitrary: fc.integer({ min: 100_000, max: 10_000_000 }) },
  ),
})

it.each(rulePairs)('$name decides step by step as in memory', async ({ shared, local }) => {
  const client = server.connect()
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 2 ** 41 - 1e9 }),
      fc.array(step, { minLength: 5, maxLength: 30 }),
      async (start, steps) => {
        let now = start
        const limiter = createRedisLimiter(shared, {
          run: withGivenTime(withIoredis(client), () => now),
          prefix: `${scripts++}:`,
          timeoutMs: 50_000,
          cacheRefusals: 0,
          onOutage: 'closed',
        })
        // A limit begins with its first decision.
        const expected = createLimiter(local, { clock: createManualClock(start) })
        expect(await limiter.decide('ada')).toEqual(expected.decide(1, start))
        for (const { op, cost, elapsedMs } of steps) {
          // In memory the log forgets at a refusal, which here writes nothing: going back then differs, and is left to the laws.
          const least = shared.name === 'log' ? now : 0
          const before = now
          now = Math.max(now + elapsedMs, least)
          // In memory a look from before the last try rounds its wait otherwise: only a try moves time back.
          const act = now < before ? 'decide' : op
          const decision = await limiter[act]('ada', cost)
          expect(decision, `${act} ${cost} at ${now}`).toEqual(expected[act](cost, now))
        }
        expect(limiter.snapshot().outages).toBe(0)
      },
    ),
    { numRuns: 60, seed: 1 },
  )
})
