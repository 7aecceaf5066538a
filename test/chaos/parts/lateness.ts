import type { ChaosClock } from '../chaos-clock.ts'

/**
 * How late a timer may be. One that was set before the clock jumped counts by its own delay, which is at most the
 * longest since there was last no timer.
 */
export function createLateness(clock: ChaosClock) {
  const forwardMs = (): number => clock.progressMs - clock.elapsedMs
  let longest = 0
  let then = { setBackMs: clock.setBackMs, forwardMs: forwardMs() }
  const isSteady = (): boolean => then.setBackMs === clock.setBackMs && then.forwardMs === forwardMs()
  return {
    /** A timer may be set for each of `delays`. */
    see(...delays: number[]) {
      for (const ms of delays) if (ms < Infinity) longest = Math.max(longest, ms)
    },
    noTimer() {
      longest = 0
      then = { setBackMs: clock.setBackMs, forwardMs: forwardMs() }
    },
    isSteady,
    longest: () => longest,
    /** How long after its call a timer with the delay `ms` has fired. */
    latest: (ms: number): number =>
      isSteady() || ms === Infinity ? ms : longest + clock.setBackMs - then.setBackMs,
  }
}
