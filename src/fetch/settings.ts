import { checkArray, checkFunction, checkOneOf } from '../core/check.ts'
import { systemClock } from '../core/clock.ts'
import { checkAbove, checkFrom } from '../core/rules/check-number.ts'
import type { RateLimitedFetchOptions } from './options.ts'

/** The options, with every default in its place. */
export type Settings = {
  readonly [Name in keyof RateLimitedFetchOptions]-?: Name extends Optional
    ? RateLimitedFetchOptions[Name]
    : NonNullable<RateLimitedFetchOptions[Name]>
}

/** What may be absent. */
type Optional =
  | 'fetch'
  | 'key'
  | 'burst'
  | 'rule'
  | 'holdSlot'
  | 'shouldRetry'
  | 'retryBudget'
  | 'breaker'
  | 'backoff'
  | 'share'
  | 'onEvent'

const defaults = {
  ratePerSecond: Infinity,
  concurrency: Infinity,
  maxInFlight: Infinity,
  maxQueue: 1000,
  overflow: 'reject-new',
  maxQueueTimeMs: Infinity,
  agingMs: 10_000,
  maxRetries: 2,
  methods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'QUERY'],
  statuses: [408, 413, 425, 429, 500, 502, 503, 504],
  isThrottled: () => false,
  isGlobal: (response: Response) => response.headers.has('ratelimit'),
  retryNonIdempotent: false,
  replayStreams: false,
  random: Math.random,
  strict: false,
  maxWaitMs: 60_000,
  maxGateMs: 600_000,
  maxPreemptiveMs: 60_000,
  headerless: 'bucket',
  maxBuckets: 256,
  attemptTimeoutMs: Infinity,
  totalTimeoutMs: Infinity,
  resume: 'ramp',
  pace: 'learn',
  adaptiveCost: false,
  throwOnThrottle: false,
  offline: 'fail',
  pauseWhenHidden: false,
  keepalive: 'bypass',
  clock: systemClock,
} satisfies RateLimitedFetchOptions

export const defaultSettings = defaults as RateLimitedFetchOptions as Settings

/** The limits in force. */
export type Limits = Record<'ratePerSecond' | 'burst' | 'concurrency', number>

/** The limits of `settings`: a burst that is not given is what comes in a second. */
export function limitsOf({ rule, ratePerSecond, burst, concurrency }: Settings): Limits {
  const { ratePerSecond: rate, burst: most = Math.max(1, rate) } = rule ?? { ratePerSecond, burst }
  return { ratePerSecond: rate, burst: most, concurrency }
}

/** `settings` with the `changes`, where undefined is the default, all checked. */
export function changeSettings(settings: Settings, changes: RateLimitedFetchOptions): Settings {
  const changed = { ...settings, ...changes } as Settings
  for (const name in defaults)
    if (changed[name as keyof Settings] === undefined)
      Object.assign(changed, { [name]: defaultSettings[name as keyof Settings] })

  const check = (test: (name: string, value: never) => void, names: string): void => {
    for (const name of names.split(' ')) {
      const value = changed[name as keyof Settings]
      if (value !== undefined) test(name, value as never)
    }
  }
  const from = (least: number) => (name: string, value: number) => checkFrom(least, name, value)
  const oneOf = (choices: string) => (name: string, value: string) =>
    checkOneOf(choices.split(' '), name, value)
  check(
    checkFunction,
    'fetch key isGlobal holdSlot isThrottled shouldRetry retryBudget backoff random onEvent',
  )
  check(from(0), 'maxQueue maxRetries maxWaitMs maxGateMs maxPreemptiveMs')
  check(from(1), 'concurrency maxInFlight maxBuckets burst')
  check(
    (name: string, value: number) => checkAbove(0, name, value),
    'ratePerSecond maxQueueTimeMs agingMs attemptTimeoutMs totalTimeoutMs',
  )
  check(checkArray, 'methods statuses')
  check(oneOf('reject-new drop-oldest drop-lowest'), 'overflow')
  check(oneOf('ramp all'), 'resume')
  check(oneOf('learn fixed'), 'pace')
  check(oneOf('fail wait'), 'offline')
  check(oneOf('bypass queue reject'), 'keepalive')
  check(oneOf('bucket request'), 'headerless')
  return changed
}
