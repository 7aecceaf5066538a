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
    row(gcra({ ratePerSecond, burst }), 'gcra', 'Stores one time: when the next request is due'),
    row(
      leakyBucket({ ratePerSecond, capacity: burst }),
      'leakyBucket',
      'Each request fills it; it empties steadily',
    ),
    {
      ...row(
        fixedWindow(window),
        'fixedWindow',
        'Full again at each window: lets twice the burst through at a boundary',
      ),
      windowMs,
    },
    row(slidingWindowLog(window), 'slidingWindowLog', 'Looks back one window, exactly'),
    row(slidingWindowCounter(window), 'slidingWindowCounter', 'Like slidingWindowLog, but from two counts'),
  ]
}
