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
 * A timer that is early by less than 2 ms is set again. But not if the clock was set back meanwhile, for then it seems earlier, and the
 * timer is believed in place of the clock: each time that the clock is set may be worth so many ms.
 */
const EARLY_MS = 2

/** How many ms were gained by the clock being set back, since the last `forget`. */
function createGain({ clock }: World) {
  let { settings, setBackMs } = clock
  let gainedMs = 0
  return {
    read(): number {
      if (clock.setBackMs !== setBackMs) gainedMs += (clock.settings - settings) * EARLY_MS
      ;({ settings, setBackMs } = clock)
      return gainedMs
    },
    forget(): void {
      ;({ settings, setBackMs } = clock)
      gainedMs = 0
    },
  }
}

/** In any time of length L no more than rate · L + burst, as whoever reads the clock measures it. */
export function createBucketEnvelope(world: World, ratePerSecond: number, burst: number): Envelope {
  const { clock, claim } = world
  const gain = createGain(world)
  // What has passed and has not leaked away.
  let used = 0
  let at = clock.progressMs
  // What must be left at least, by the time that has really passed.
  let least = burst
  let { elapsedMs, setBackMs } = clock

  function look(): void {
    used = Math.max(used - ((clock.progressMs - at) * ratePerSecond) / 1000, 0)
    at = clock.progressMs
    if (used === 0) gain.forget()
    const sureMs = clock.elapsedMs - elapsedMs - (clock.setBackMs - setBackMs)
    least = Math.min(least + (sureMs * ratePerSecond) / 1000, burst)
    ;({ elapsedMs, setBackMs } = clock)
  }

  return {
    admit(cost) {
      look()
      least -= cost
      used += cost
      const most = burst + (gain.read() * ratePerSecond) / 1000
      claim(used <= most + ROUNDING, 'let pass more than rate and burst allow', used, most)
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
  const gain = createGain(world)
  let passed: { at: number; cost: number }[] = []
  let last = { elapsedMs: -Infinity, setBackMs: 0 }

  return {
    admit(cost) {
      const { progressMs: at, elapsedMs, setBackMs } = clock
      // Two windows that are aligned are the clock's: set back, it begins another one.
      if (factor === 2 && setBackMs !== last.setBackMs) passed = []
      last = { elapsedMs, setBackMs }
      passed = passed.filter((other) => at - other.at < windowMs - gain.read() - ROUNDING)
      if (passed.length === 0) gain.forget()
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
