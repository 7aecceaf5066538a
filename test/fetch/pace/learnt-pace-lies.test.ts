import fc from 'fast-check'
import { describe, it } from 'vitest'
import { bucketLimit } from './limits-of-servers.ts'
import { conditions, expectSound, race } from './race-for-limit.ts'
import { tries } from '../../laws/tries.ts'

const absurd = fc.constantFrom('0', '1', '7', '999999999999999', '86400')
const lies = fc.record({
  quota: absurd,
  windowS: absurd,
  left: absurd,
  resetS: fc.constantFrom('0', '1', '2'),
  isTold: fc.boolean(),
})

describe('R67 a server that lies', () => {
  it('R67 R142 of what is left and of its policy: all calls are served', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(lies, conditions, async ({ quota, windowS, left, resetS, isTold }, condition) => {
        const result = await race(bucketLimit(20, 10), { ...condition, count: 40 }, (waitMs) => ({
          'ratelimit-policy': `"a";q=${quota};w=${windowS}`,
          ratelimit: `"a";r=${left};t=${resetS}`,
          ...(isTold && waitMs > 0 && { 'retry-after': '1' }),
        }))
        expectSound(result)
      }),
      tries(20),
    )
  })

  it(
    'R67 of its pause, which is longer than it says: all calls are served',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 30 }),
          fc.integer({ min: 1, max: 60_000 }),
          conditions,
          async (burst, pauseMs, condition) => {
            const limit = bucketLimit(20, burst)
            let closedUntil = 0
            const pausing = (at: number): number => {
              if (at < closedUntil) return closedUntil - at
              const waitMs = limit(at)
              if (waitMs > 0) closedUntil = at + pauseMs
              return waitMs
            }
            expectSound(
              await race(pausing, { ...condition, count: 40 }, (waitMs): Record<string, string> =>
                waitMs > 0 ? { 'retry-after': '1' } : {},
              ),
            )
          },
        ),
        tries(20),
      )
    },
  )
})
