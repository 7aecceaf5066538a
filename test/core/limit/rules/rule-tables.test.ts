import {
  createLimiter,
  fixedWindow,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type Rule,
} from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'

/** The instant, the cost, the ms to wait (0: allowed), what remains after it. */
type Row = [at: number, cost: number, retryAfterMs: number, remaining: number]

const tables: [does: string, rule: Rule, rows: Row[]][] = [
  [
    'tokenBucket: a burst, then one every 1 / rate, at the exact instant; never above its burst',
    tokenBucket({ ratePerSecond: 10, burst: 3, initial: undefined }),
    [
      [0, 2, 0, 1],
      [0, 1, 0, 0],
      [0, 1, 100, 0],
      [99, 1, 1, 0],
      [100, 1, 0, 0],
      [150, 1, 50, 0],
      [150, 2, 150, 0],
      [300, 2, 0, 0],
      [10_000, 3, 0, 0],
      [10_250, 0.5, 0, 2],
      [10_250, 2.5, 50, 2],
      [10_250, 4, Infinity, 2],
    ],
  ],
  [
    'tokenBucket: starts with its initial tokens at its first instant',
    tokenBucket({ ratePerSecond: 10, burst: 3, initial: 0 }),
    [
      [0, 1, 100, 0],
      [100, 1, 0, 0],
      [250, 1, 0, 0],
      [250, 3, 250, 0],
      [1000, 3, 0, 0],
    ],
  ],
  [
    'tokenBucket: no more initial tokens than its burst',
    tokenBucket({ ratePerSecond: 10, burst: 3, initial: 9 }),
    [
      [0, 3, 0, 0],
      [0, 1, 100, 0],
    ],
  ],
  [
    'fixedWindow: an infinite window',
    fixedWindow({ limit: 2, windowMs: Infinity }),
    [
      [0, 2, 0, 0],
      [1e15, 1, Infinity, 0],
    ],
  ],
  [
    'slidingWindowLog: when costs below 1 fill its slots, the newest merge into the last slot',
    slidingWindowLog({ limit: 2, windowMs: 1000 }),
    [
      [0, 0.5, 0, 1],
      [100, 0.5, 0, 1],
      // A third entry for two slots: counts as if 1 had been taken at 200.
      [200, 0.5, 0, 0],
      [200, 1, 800, 0],
      [1000, 0.5, 0, 0],
      [1000, 1, 200, 0],
    ],
  ],
  [
    'slidingWindowLog: an infinite window',
    slidingWindowLog({ limit: 2, windowMs: Infinity }),
    [
      [0, 2, 0, 0],
      [1e15, 1, Infinity, 0],
    ],
  ],
  [
    'slidingWindowCounter: admits nothing at the end of a full window, then one per limit-th part of the next',
    slidingWindowCounter({ limit: 4, windowMs: 1000 }),
    [
      [900, 4, 0, 0],
      [999, 1, 1, 0],
      // 4 · (1 − 0) + 0 = 4
      [1000, 0, 0, 0],
      // 4 · (1 − 0.01) = 3.96, of which 3 count
      [1010, 1, 0, 0],
      // 4 · (1 − 0.25) + 1 = 4: just after it
      [1250, 0, 0, 0],
      [1251, 1, 0, 0],
      // 4 · (1 − 0.9) + 2 = 2.4
      [1900, 2, 0, 0],
      [1900, 5, Infinity, 0],
      // Two windows later, earlier costs no longer count.
      [3000, 4, 0, 0],
    ],
  ],
  [
    'slidingWindowCounter: in a window with nothing taken, a fourth of the last one makes room for each of four',
    slidingWindowCounter({ limit: 4, windowMs: 400 }),
    [
      [900, 4, 0, 0],
      [1210, 4, 290, 1],
      [1210, 2, 90, 1],
      [1210, 1, 0, 0],
    ],
  ],
]

it.each(tables)('%s', (_, rule, rows) => {
  const limiter = createLimiter(rule, { clock: createManualClock() })
  for (const [at, cost, retryAfterMs, remaining] of rows) {
    const decision = limiter.decide(cost, at)
    const label = `at ${at}, cost ${cost}`
    expect(decision.retryAfterMs, label).toBeCloseTo(retryAfterMs, 6)
    expect(decision, label).toMatchObject({ allowed: retryAfterMs === 0, remaining })
  }
})
