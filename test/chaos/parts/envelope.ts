import type { World } from '../part.ts'

/** Bounds on what a limit admits: how much it may, and when it must. */
export interface Envelope {
  /** Records that `cost` was admitted, and claims that this is allowed. */
  admit: (cost: number) => void
  /** Whether `cost` must have been admissible by now, regardless of clock jumps. */
  isOverdue: (cost: number) => boolean
}

/** Tolerance for floating-point sums. */
const ROUNDING = 1e-6

/**
 * After a backward jump the due times of the timers already set count in place of the clock, however late
 * they are. Until the last of them has fired, the count of admitted cost starts over, plus what was due
 * meanwhile, at most a burst.
 */
function createReset({ clock }: World): () => boolean {
  let { setBackMs } = clock
  let hadOldTimers = false
  return () => {
    const isReset = clock.setBackMs !== setBackMs || hadOldTimers
    ;({ setBackMs, hasOldTimers: hadOldTimers } = clock)
    return isReset
  }
}

/** Admits at most rate · L + burst in any time of length L, as read from the clock. */
export function createBucketEnvelope(world: World, ratePerSecond: number, burst: number): Envelope {
  const { clock, claim } = world
  const isReset = createReset(world)
  // Admitted cost that has not leaked yet.
  let used = 0
  let at = clock.progressMs
  // The least that must be left, by real time.
  let least = burst
  let { elapsedMs, setBackMs } = clock

  function look(): void {
    const leaked = ((clock.progressMs - at) * ratePerSecond) / 1000
    used = isReset() ? -burst : used > 0 ? Math.max(used - leaked, 0) : Math.min(used + leaked, 0)
    at = clock.progressMs
    const sureMs = clock.elapsedMs - elapsedMs - (clock.setBackMs - setBackMs)
    least = Math.min(least + (sureMs * ratePerSecond) / 1000, burst)
    ;({ elapsedMs, setBackMs } = clock)
  }

  return {
    admit(cost) {
      look()
      least -= cost
      used += cost
      claim(used <= burst + ROUNDING, 'admitted more than rate and burst allow', used, burst)
    },
    isOverdue(cost) {
      look()
      return least >= cost + ROUNDING
    },
  }
}

/** Admits at most (`limit` + `over`) · `factor` in any `windowMs`, excluding the end. */
export function createWindowEnvelope(
  world: World,
  limit: number,
  windowMs: number,
  factor: 1 | 2,
  over = 0,
): Envelope {
  const { clock, claim } = world
  const isReset = createReset(world)
  let passed: { at: number; cost: number }[] = []
  let last = { elapsedMs: -Infinity, setBackMs: 0 }

  return {
    admit(cost) {
      const { progressMs: at, elapsedMs, setBackMs } = clock
      if (isReset()) passed = [{ at, cost: -limit }]
      last = { elapsedMs, setBackMs }
      passed = passed.filter((other) => at - other.at < windowMs - ROUNDING)
      passed.push({ at, cost })
      const sum = passed.reduce((sum, { cost }) => sum + cost, 0)
      claim(sum <= (limit + over) * factor + ROUNDING, 'admitted more than the window allows', sum)
    },
    // After two windows without admissions nothing is counted any more.
    isOverdue(cost) {
      const sureMs = clock.elapsedMs - last.elapsedMs - (clock.setBackMs - last.setBackMs)
      return cost <= limit && sureMs >= 2 * windowMs
    },
  }
}
