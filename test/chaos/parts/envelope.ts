import type { World } from '../part.ts'

/** What a limit may let pass in any time, and when it must. */
export interface Envelope {
  /** `cost` passes: claims that it may. */
  admit: (cost: number) => void
  /** Whether `cost` could have passed by now, whatever the clock did. */
  isOverdue: (cost: number) => boolean
}

/** Sums of thirds and tenths are rounded. */
const ROUNDING = 1e-6

/**
 * When the clock is set back the instants of timers that are under way count in its place, however late they are: until the last of
 * them what has passed is counted anew, and beside it as much as was due meanwhile, at most a burst.
 */
function createReset({ clock }: World): () => boolean {
  let { setBackMs } = clock
  let hadOldTimers = false
  return () => {
    const isAnew = clock.setBackMs !== setBackMs || hadOldTimers
    ;({ setBackMs, hasOldTimers: hadOldTimers } = clock)
    return isAnew
  }
}

/** In any time of length L no more than rate · L + burst, as whoever reads the clock measures it. */
export function createBucketEnvelope(world: World, ratePerSecond: number, burst: number): Envelope {
  const { clock, claim } = world
  const isAnew = createReset(world)
  // What has passed and has not leaked away.
  let used = 0
  let at = clock.progressMs
  // What must be left at least, by the time that has really passed.
  let least = burst
  let { elapsedMs, setBackMs } = clock

  function look(): void {
    const leaked = ((clock.progressMs - at) * ratePerSecond) / 1000
    used = isAnew() ? -burst : used > 0 ? Math.max(used - leaked, 0) : Math.min(used + leaked, 0)
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
      claim(used <= burst + ROUNDING, 'let pass more than rate and burst allow', used, burst)
    },
    isOverdue(cost) {
      look()
      return least >= cost + ROUNDING
    },
  }
}

/** In any time of `windowMs`, the end not counted, no more than `limit`, and `over`, times `factor`. */
export function createWindowEnvelope(
  world: World,
  limit: number,
  windowMs: number,
  factor: 1 | 2,
  over = 0,
): Envelope {
  const { clock, claim } = world
  const isAnew = createReset(world)
  let passed: { at: number; cost: number }[] = []
  let last = { elapsedMs: -Infinity, setBackMs: 0 }

  return {
    admit(cost) {
      const { progressMs: at, elapsedMs, setBackMs } = clock
      if (isAnew()) passed = [{ at, cost: -limit }]
      last = { elapsedMs, setBackMs }
      passed = passed.filter((other) => at - other.at < windowMs - ROUNDING)
      passed.push({ at, cost })
      const sum = passed.reduce((sum, { cost }) => sum + cost, 0)
      claim(sum <= (limit + over) * factor + ROUNDING, 'let pass more than the window allows', sum)
    },
    // After two windows in which nothing passed there is nothing left of what did.
    isOverdue(cost) {
      const sureMs = clock.elapsedMs - last.elapsedMs - (clock.setBackMs - last.setBackMs)
      return cost <= limit && sureMs >= 2 * windowMs
    },
  }
}
