import type { BucketHost } from './bucket-host.ts'
import type { AttemptOutcome, Call, Closing } from './bucket-types.ts'
import type { EventDetail, WaitSource } from './events.ts'
import type { Flow } from './flow.ts'
import { warnOfHiddenFields } from './hidden-fields.ts'
import type { Verdict } from './verdict.ts'

/** Closes and opens the gate of a bucket, and tells of it. */
export interface Gatekeeper {
  /** Whether a closing has not been followed by an opening that was told. */
  readonly isShut: boolean
  /** Instant; of it, so much was only added so that not all come at once. */
  readonly spreadMs: number
  /** What closed the gate last. */
  readonly source: WaitSource | undefined
  /** What is random about a throttle: drawn once for all refusals that are one event. R54, R65 */
  drawn: (call: Call) => () => number
  close: (call: Call, closing: Closing, source: WaitSource) => void
  /** Another tab has closed it until then. */
  delay: (until: number) => void
  learn: (call: Call, verdict: Verdict, inFlight: number) => void
  returned: (call: Call, outcome: AttemptOutcome, isBusy: boolean, nextMs?: () => number) => void
  /** The probe goes out. */
  probes: (call: Call) => void
  /** Looks whether the gate has opened. Answers whether it is closed. */
  look: (now: number) => boolean
}

export function createGatekeeper(key: string, host: BucketHost, flow: Flow): Gatekeeper {
  const { gate } = flow
  const { time } = host
  let isShut = false // The gate has closed, and its opening has not been told yet.
  let serverOpensAt = -Infinity // When the server would have it open; that may be later.
  let spreadMs = 0
  let source: WaitSource | undefined
  let draws: number[] = []
  let hasWarned = false

  const tell = (type: 'gate-closed' | 'gate-extended', now: number): void => {
    const until = time.toClock(gate.opensAt)
    host.tell?.(key, { type, until, ms: gate.opensAt - now, source: source! })
  }

  /** Tells of a closing, which has moved the opening from `before`. */
  function shut(before: number, now: number, isFirst: boolean, by: WaitSource, spread: number): void {
    if (gate.opensAt > before) {
      spreadMs = spread
      source = by
    }
    if (isFirst) tell('gate-closed', now)
    else if (gate.opensAt > before) tell('gate-extended', now)
    isShut = true
  }

  function close(call: Call, { waitMs, spreadMs: spread }: Closing, by: WaitSource, isThrottle = true): void {
    const now = time.now()
    const before = gate.opensAt
    const ms = Math.min(waitMs, host.settings.maxGateMs)
    const isNew = gate.close(now + ms, call.sequence, host.traffic.newest, isThrottle)
    // After a reset, the answers to what was sent before it say nothing any more.
    if (isNew === 'ignored') return
    serverOpensAt = Math.max(serverOpensAt, now + waitMs)
    if (isNew) flow.refused(call.sentAt, gate.opensAt)
    shut(before, now, isNew || !(isThrottle || isShut), by, spread)
    if (gate.opensAt > before) share(host.settings.clock.wall() + ms)
    if (by === 'none' && !hasWarned) warnOfHiddenFields(key)
    hasWarned ||= by === 'none'
  }

  function share(untilWallMs: number): void {
    try {
      host.settings.share?.closed(key, untilWallMs)
    } catch (error) {
      host.tell?.(key, { type: 'share-error', error })
    }
  }

  return {
    get isShut() {
      return isShut
    },
    get spreadMs() {
      return spreadMs
    },
    get source() {
      return source
    },
    drawn(call) {
      if (gate.isNew(call.sequence)) draws = []
      let count = 0
      return () => (draws[count++] ??= host.settings.random())
    },
    close,
    delay(until) {
      const before = gate.opensAt
      const now = time.now()
      if (!(until > Math.max(before, now))) return
      // Nothing of our own was refused.
      gate.close(until, Infinity, host.traffic.newest, false)
      shut(before, now, !isShut, 'shared', 0)
    },
    learn(call, { reading, isThrottled }, inFlight) {
      const now = time.now()
      flow.quota.read(reading, call.sequence, inFlight, host.settings.maxGateMs, now)
      const cost = reading.limits.find((limit) => limit.cost !== undefined)?.cost
      if (cost !== undefined) flow.costs(cost)
      const { maxPreemptiveMs } = host.settings
      const closedMs = reading.waitMs
      // R34: of a throttle its own wait has closed the gate already. R29, R36
      if (isThrottled || !closedMs || (reading.source !== 'ratelimit' && closedMs > maxPreemptiveMs)) return
      if (reading.limits.some(({ available }) => available === 0))
        close(call, { waitMs: closedMs, spreadMs: 0 }, reading.source!, false)
    },
    returned(call, outcome, isBusy, nextMs) {
      if (outcome === 'success' || outcome === 'failed') {
        flow.passed(call.sentAt)
        gate.passed(call.sequence, isBusy, host.settings.concurrency)
      } else {
        const now = time.now()
        const at = gate.failed(call.sequence, () => now + (nextMs?.() ?? 0))
        if (at === undefined || !nextMs) return
        source = 'backoff'
        isShut = true
        tell('gate-closed', now)
      }
    },
    probes(call) {
      const early = gate.opensAt < serverOpensAt
      const detail: EventDetail = { type: 'gate-probe', call: call.arrival, early }
      host.tell?.(key, detail)
    },
    look(now) {
      const isClosed = gate.opensAt > now
      const hasOpened = isShut && !isClosed
      // First, for who hears of it may make a call.
      isShut = isClosed
      if (hasOpened) host.tell?.(key, { type: 'gate-opened' })
      return isClosed
    },
  }
}
