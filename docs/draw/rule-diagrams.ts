import {
  createLimiter,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type Rule,
} from 'lull/core'
import type { LevelDiagram, LevelPanel } from './level.ts'

const LIMIT = 5
const WINDOW_MS = 1000
const PERIOD_MS = WINDOW_MS / LIMIT

/** `count` requests, one every `everyMs`, starting at `from`. */
const train = (from: number, count: number, everyMs: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index * everyMs)

// A burst before the start of a window, one after it, a pause, then requests above the rate.
const requests = [...train(760, 6, 30), ...train(1040, 6, 30), ...train(2140, 12, 80)]

const limited =
  <Changes>(rule: Rule<Changes>): LevelPanel['make'] =>
  (clock) =>
    createLimiter(rule, { clock })

const alone = (title: string, panel: Omit<LevelPanel, 'most'> & { most?: number }): LevelDiagram => ({
  title,
  endMs: 3500,
  requests,
  panels: [{ most: LIMIT, ...panel }],
})

const used = (level: number): number => LIMIT - level

export const ruleDiagrams: Record<string, LevelDiagram> = {
  'rule-token-bucket': alone('A token bucket: 5 a second, a burst of 5', {
    name: 'tokens left',
    make: limited(tokenBucket({ ratePerSecond: LIMIT, burst: LIMIT })),
  }),
  'rule-gcra': alone('GCRA: 5 a second, a burst of 5', {
    name: 'TAT ahead of now; passes up to the line',
    make: limited(gcra({ ratePerSecond: LIMIT, burst: LIMIT })),
    shown: (level) => used(level) * PERIOD_MS,
    most: LIMIT * PERIOD_MS,
    unit: ' ms',
    bound: (LIMIT - 1) * PERIOD_MS,
  }),
  'rule-leaky-bucket': alone('A leaky bucket: leaks 5 a second, holds 5', {
    name: 'water in the bucket',
    make: limited(leakyBucket({ ratePerSecond: LIMIT, capacity: LIMIT })),
    shown: used,
  }),
  'rule-fixed-window': alone('A fixed window: 5 in each second', {
    name: 'used in this window',
    make: limited(fixedWindow({ limit: LIMIT, windowMs: WINDOW_MS })),
    shown: used,
    windowMs: WINDOW_MS,
  }),
  'rule-sliding-window-log': alone('A sliding window with a log: 5 in any second', {
    name: 'passed in the last second',
    make: limited(slidingWindowLog({ limit: LIMIT, windowMs: WINDOW_MS })),
    shown: used,
  }),
  'rule-sliding-window-counter': alone('A sliding window with two counts: about 5 in any second', {
    name: 'estimate for the last second',
    make: limited(slidingWindowCounter({ limit: LIMIT, windowMs: WINDOW_MS })),
    shown: used,
    windowMs: WINDOW_MS,
  }),
  'rule-boundary': {
    title: 'The same two bursts at a fixed window and at a sliding one, 5 a second each',
    endMs: 1900,
    requests: [...train(780, 5, 40), ...train(1060, 5, 40)],
    panels: [
      {
        name: 'fixedWindow: used in this window',
        make: limited(fixedWindow({ limit: LIMIT, windowMs: WINDOW_MS })),
        shown: used,
        most: LIMIT,
        windowMs: WINDOW_MS,
      },
      {
        name: 'slidingWindowLog: passed in the last second',
        make: limited(slidingWindowLog({ limit: LIMIT, windowMs: WINDOW_MS })),
        shown: used,
        most: LIMIT,
      },
    ],
  },
}
