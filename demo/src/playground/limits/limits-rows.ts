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

/** The settings that all limits of the panel share: average rate, and requests allowed at once. */
export interface Pace {
  ratePerSecond: number
  burst: number
}

export interface LimitRow {
  name: string
  words: string
  limiter: Pick<Limiter, 'allow' | 'remaining'>
  /** The window length, in ms, for rules whose windows start at its multiples. */
  windowMs?: number
}

/** The window length that gives the rate when each window allows `burst` requests, in ms. */
export const windowMsOf = ({ ratePerSecond, burst }: Pace): number => (burst / ratePerSecond) * 1000

export function createRows({ ratePerSecond, burst }: Pace, clock: Clock): LimitRow[] {
  const windowMs = windowMsOf({ ratePerSecond, burst })
  const window = { limit: burst, windowMs }

  function row<Changes>(rule: Rule<Changes>, name: string, words: string): LimitRow {
    return { name, words, limiter: createLimiter(rule, { clock }) }
  }

  return [
    row(tokenBucket({ ratePerSecond, burst }), 'tokenBucket', 'Tokens come back steadily'),
    row(gcra({ ratePerSecond, burst }), 'gcra', 'Keeps only the time of the next'),
    row(leakyBucket({ ratePerSecond, capacity: burst }), 'leakyBucket', 'Fills up, and leaks steadily'),
    { ...row(fixedWindow(window), 'fixedWindow', 'Starts at 0 in each window'), windowMs },
    row(slidingWindowLog(window), 'slidingWindowLog', 'Looks back one window, exactly'),
    row(slidingWindowCounter(window), 'slidingWindowCounter', 'Estimates the log from two counts'),
  ]
}
