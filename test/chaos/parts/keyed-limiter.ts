import fc from 'fast-check'
import { createKeyedLimiter, fixedWindow, gcra, slidingWindowLog, tokenBucket } from 'lull/core'
import { createBucketEnvelope, createWindowEnvelope, type Envelope } from '../envelope.ts'
import { definePart, verb, type ChaosPart, type World } from '../part.ts'

type Step =
  | { do: 'allow'; key: string; cost: number }
  | { do: 'decide'; key: string; cost: number }
  | { do: 'delete'; key: string }
  | { do: 'clear' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      do: fc.constantFrom('allow' as const, 'decide' as const),
      // 'new': one that was never asked before, and is never again.
      key: fc.constantFrom('a', 'a', 'b', 'c', 'new'),
      cost: fc.constantFrom(1, 1, 1, 2, 0.5, 0, 7),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), key: fc.constantFrom('a', 'b') }) },
  { weight: 1, arbitrary: verb('clear') },
)

const RATE = 10
const BURST = 4
const WINDOW_MS = 400

/** A limit that is the key's own: to lose it makes it as new. */
function define(
  name: string,
  rule: () => Parameters<typeof createKeyedLimiter>[0],
  make: (world: World) => Envelope,
): ChaosPart {
  return definePart<null, Step>({
    name: `keyed ${name}`,
    options: fc.constant(null),
    step,
    isSync: true,
    begin(world) {
      const { clock, claim } = world
      const limiter = createKeyedLimiter(rule(), { clock, maxKeys: 1000 })
      const envelopes = new Map<string, Envelope>()
      let counts = { allowed: 0, denied: 0 }
      let keys = 0

      function ask(how: 'allow' | 'decide', key: string, cost: number): void {
        const envelope = envelopes.get(key) ?? make(world)
        if (!key.startsWith('new')) envelopes.set(key, envelope)
        const foreseen = limiter.peek(key, cost)
        const answer =
          how === 'allow' ? { ...foreseen, allowed: limiter.allow(key, cost) } : limiter.decide(key, cost)
        const { allowed, retryAfterMs } = answer
        claim(allowed === foreseen.allowed, 'foresaw', foreseen.allowed, 'and answered', allowed, key)
        claim(allowed || !envelope.isOverdue(cost), 'refused what there is room for', key, cost)
        claim(allowed === (retryAfterMs === 0), 'answered', allowed, 'and to try again in', retryAfterMs)
        claim((retryAfterMs === Infinity) === cost > BURST, 'to try again in', retryAfterMs, cost)
        counts = { ...counts, [allowed ? 'allowed' : 'denied']: counts[allowed ? 'allowed' : 'denied'] + 1 }
        if (allowed) envelope.admit(cost)
        else if (cost <= BURST) {
          const { allowed } = limiter.peek(key, cost, clock.now() + limiter.peek(key, cost).retryAfterMs)
          claim(allowed, 'to wait as told is not enough', retryAfterMs)
        }
      }

      return {
        act(step) {
          if (step.do === 'clear') {
            limiter.clear()
            envelopes.clear()
            claim(limiter.size === 0, 'remembers keys', limiter.size)
          } else if (step.do === 'delete') {
            limiter.delete(step.key)
            envelopes.delete(step.key)
          } else ask(step.do, step.key === 'new' ? `new ${++keys}` : step.key, step.cost)
        },
        check() {
          const { allowed, denied, size } = limiter.snapshot()
          claim(allowed === counts.allowed && denied === counts.denied, 'counted', allowed, denied)
          claim(limiter.snapshot() === limiter.snapshot(), 'shows another snapshot, and nothing has changed')
          claim(size === limiter.size && size <= 1000, 'size is', size)
          claim(clock.pending === 0, 'has a timer')
        },
        end: () => undefined,
      }
    },
  })
}

const window = { limit: BURST, windowMs: WINDOW_MS }
const bucket = (world: World): Envelope => createBucketEnvelope(world, RATE, BURST)

export const keyedLimiters: ChaosPart[] = [
  define('token bucket', () => tokenBucket({ ratePerSecond: RATE, burst: BURST }) as never, bucket),
  define('gcra', () => gcra({ ratePerSecond: RATE, burst: BURST }) as never, bucket),
  define(
    'fixed window',
    () => fixedWindow(window) as never,
    (world) => createWindowEnvelope(world, BURST, WINDOW_MS, 2),
  ),
  define(
    'sliding window log',
    () => slidingWindowLog(window) as never,
    (world) => createWindowEnvelope(world, BURST, WINDOW_MS, 1),
  ),
]
