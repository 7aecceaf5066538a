import {
  createLimiter,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
  type Clock,
  type Limiter,
  type Rule,
} from 'lull/core'

/** What all limits of the panel have in common: how many a second in the long run, and how many at once. */
export interface Pace {
  ratePerSecond: number
  burst: number
}

export interface LimitRow {
  name: string
  words: string
  limiter: Pick<Limiter, 'allow' | 'remaining'>
  /** Where windows begin at the multiples of this, in ms. */
  windowMs?: number
}

/** The window in which as many pass as at once, so that the rate is the same. */
export const windowMsOf = ({ ratePerSecond, burst }: Pace): number => (burst / ratePerSecond) * 1000

export function createRows({ ratePerSecond, burst }: Pace, clock: Clock): LimitRow[] {
  const windowMs = windowMsOf({ ratePerSecond, burst })
  const window = { limit: burst, windowMs }

  function row<Changes>(rule: Rule<Changes>, name: string, words: string): LimitRow {
    return { name, words, limiter: createLimiter(rule, { clock }) }
  }

  return [
    row(tokenBucket({ ratePerSecond, burst }), 'tokenBucket', 'Tokens come back steadily'),
    row(gcra({ ratePerSecond, burst }), 'gcra', 'Remembers when the next is due'),
    row(leakyBucket({ ratePerSecond, capacity: burst }), 'leakyBucket', 'Fills up, and leaks steadily'),
    { ...row(fixedWindow(window), 'fixedWindow', 'Starts at 0 in each window'), windowMs },
    row(slidingWindowLog(window), 'slidingWindowLog', 'Looks back one window, exactly'),
    row(slidingWindowCounter(window), 'slidingWindowCounter', 'Estimates the log from two counts'),
  ]
}
