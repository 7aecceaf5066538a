export {
  withGlide,
  withIoredis,
  withNodeRedis,
  withUpstash,
  type GlideClient,
  type IoredisClient,
  type NodeRedisClient,
  type RunScript,
  type UpstashClient,
} from './clients.ts'
export {
  createRedisLimiter,
  type RedisLimiter,
  type RedisLimiterEvent,
  type RedisLimiterOptions,
  type RedisLimiterSnapshot,
} from './create-redis-limiter.ts'
export { fixedWindow } from './rules/fixed-window.ts'
export { gcra } from './rules/gcra.ts'
export { leakyBucket } from './rules/leaky-bucket.ts'
export type { RedisRule, RedisScript } from './rules/script.ts'
export { slidingWindowCounter } from './rules/sliding-window-counter.ts'
export { slidingWindowLog } from './rules/sliding-window-log.ts'
export { tokenBucket } from './rules/token-bucket.ts'
export {
  createLeasedLimiter,
  type LeasedLimiter,
  type LeasedLimiterOptions,
  type LeaseLostEvent,
} from './create-leased-limiter.ts'
export {
  createSharedRate,
  type RatedLimiter,
  type SharedRate,
  type SharedRateEvent,
  type SharedRateOptions,
  type SharedRateSnapshot,
} from './create-shared-rate.ts'
