import { createLimiter, tokenBucket } from 'lull/core'
import { createLaneLog, type LaneLog } from '../../strips/lane-log.ts'
import type { DemoTime } from '../../time/demo-time.ts'
import { repeat } from '../../time/repeat.ts'
import { createAdaptiveClient } from './adaptive-client.ts'

/** The visible time span, in ms. */
export const PAST_MS = 20_000
/** The sampling interval of the rate, in ms: less than one pixel of the picture. */
const SAMPLE_MS = 50
const SERVER_BURST = 3

export interface AdaptiveSettings {
  /** The server's limit, unknown to the client. */
  ratePerSecond: number
  /** Calls per second. */
  load: number
}

interface Sample {
  at: number
  /** The client's rate and the server's limit, in calls per second. */
  rate: number
  limit: number
}

/** A client that calls a server with an unknown limit. */
export interface AdaptiveTrial {
  log: LaneLog<'served' | 'refused' | 'held'>
  /** The samples of the last `PAST_MS`, and one before them. */
  samples: () => readonly Sample[]
  /** The server's current limit, in calls per second. */
  limit: () => number
  configure: (settings: AdaptiveSettings) => void
  setRunning: (isRunning: boolean) => void
  /** The served share of the limit in the last `ms`, or since the start. */
  used: (ms: number) => number
}

export function createAdaptiveTrial({ clock }: DemoTime, settings: AdaptiveSettings): AdaptiveTrial {
  const log = createLaneLog(['served', 'refused', 'held'] as const)
  const { ratePerSecond } = settings
  const server = createLimiter(tokenBucket({ ratePerSecond, burst: SERVER_BURST }), { clock })
  const { limiter, call } = createAdaptiveClient(clock, () => server.allow())
  const samples: Sample[] = []
  let ends: (() => void)[] = []
  let startedAt = 0

  function sample(): void {
    const at = clock.now()
    samples.push({ at, rate: limiter.ratePerSecond, limit: settings.ratePerSecond })
    while (samples[1] && samples[1].at <= at - PAST_MS) samples.shift()
  }

  function send(): void {
    log.add(call(), clock.now())
  }

  return {
    log,
    samples: () => samples,
    limit: () => settings.ratePerSecond,
    configure(next) {
      settings = next
      server.configure({ ratePerSecond: next.ratePerSecond })
    },
    setRunning(isRunning) {
      for (const end of ends) end()
      ends = []
      if (!isRunning) return
      startedAt = clock.now()
      ends = [repeat(clock, sample, () => SAMPLE_MS), repeat(clock, send, () => 1000 / settings.load)]
    },
    used(ms) {
      const now = clock.now()
      const from = Math.max(now - ms, startedAt)
      if (now <= from) return 0
      const served = log.instants('served').filter((at) => at > from).length
      // The burst of the start is above the rate.
      return Math.min(served / (((now - from) / 1000) * settings.ratePerSecond), 1)
    },
  }
}
