import { windowMsOf, type Pace } from './limits-rows.ts'

/** The instants of the requests, in ms, on a clock that starts at `from`. */
export interface Workload {
  from: number
  instants: number[]
}

export const workloadNames = ['steady', 'twice', 'rest', 'boundary', 'mixed'] as const
export type WorkloadName = (typeof workloadNames)[number]

const STEADY_MS = 8000
/** The time shown before a burst, in ms. */
const LEAD_MS = 600

/** Slightly slower than the rate: at the exact rate, rounding would decide the side of a window boundary. */
const periodMsOf = ({ ratePerSecond }: Pace) => 1000 / ratePerSecond + 0.001

const evenly = (from: number, count: number, periodMs: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index * periodMs)

/** `count` requests at ten times the rate: ten of them end before the first token is refilled. */
export const burstOf = (count: number, from: number, { ratePerSecond }: Pace): number[] =>
  evenly(from, count, 100 / ratePerSecond)

export const workloads: Record<WorkloadName, (pace: Pace) => Workload> = {
  steady: (pace) => steady(pace, 1),
  twice: (pace) => steady(pace, 2),
  rest(pace) {
    const windowMs = windowMsOf(pace)
    return { from: 0, instants: [0, 1.1 * windowMs].flatMap((from) => burstOf(pace.burst, from, pace)) }
  },
  boundary(pace) {
    const windowMs = windowMsOf(pace)
    const instants = [0.85, 1.05].flatMap((part) => burstOf(pace.burst, part * windowMs, pace))
    return { from: Math.max(instants[0]! - LEAD_MS, 0), instants }
  },
  // The usual workloads for comparing rules. One window each: the allowed rate, nothing, a full burst, twice
  // the rate.
  mixed(pace) {
    const { burst } = pace
    const windowMs = windowMsOf(pace)
    const periodMs = periodMsOf(pace)
    return {
      from: 0,
      instants: [
        ...evenly(0, burst, periodMs),
        ...burstOf(burst, 2 * windowMs, pace),
        ...evenly(3 * windowMs, 2 * burst, periodMs / 2),
      ],
    }
  },
}

function steady(pace: Pace, times: number): Workload {
  const periodMs = periodMsOf(pace) / times
  return { from: 0, instants: evenly(0, Math.ceil(STEADY_MS / periodMs), periodMs) }
}
