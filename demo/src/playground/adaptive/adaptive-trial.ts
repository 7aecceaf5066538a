import { createLimiter, tokenBucket } from 'lull/core'
import { createLaneLog, type LaneLog } from '../../strips/lane-log.ts'
import type { DemoTime } from '../../time/demo-time.ts'
import { repeat } from '../../time/repeat.ts'
import { createAdaptiveClient } from './adaptive-client.ts'

/** How much is shown, in ms. */
export const PAST_MS = 20_000
/** How often the rate is read: more often than the picture has pixels. */
const SAMPLE_MS = 50
const SERVER_BURST = 3

export interface AdaptiveSettings {
  /** What the server serves, which the client does not know. */
  ratePerSecond: number
  /** How many calls a second there are. */
  load: number
}

interface Sample {
  at: number
  /** Events per second: what the client allows itself, and what the server allows. */
  rate: number
  limit: number
}

/** A client that calls a server whose limit it does not know. */
export interface AdaptiveTrial {
  log: LaneLog<'served' | 'refused'>
  /** The last `PAST_MS`, and one before. */
  samples: () => readonly Sample[]
  configure: (settings: AdaptiveSettings) => void
  setRunning: (isRunning: boolean) => void
  isRunning: () => boolean
  /** The part of the limit that was served in the `ms` before now, or since it began. */
  used: (ms: number) => number
}

export function createAdaptiveTrial({ clock }: DemoTime, settings: AdaptiveSettings): AdaptiveTrial {
  const log = createLaneLog(['served', 'refused'])
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
    const outcome = call()
    if (outcome !== 'held') log.add(outcome, clock.now())
  }

  return {
    log,
    samples: () => samples,
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
    isRunning: () => ends.length > 0,
    used(ms) {
      const now = clock.now()
      const from = Math.max(now - ms, startedAt)
      if (now <= from) return 0
      const served = log.instants('served').filter((at) => at > from).length
      return served / (((now - from) / 1000) * settings.ratePerSecond)
    },
  }
}
