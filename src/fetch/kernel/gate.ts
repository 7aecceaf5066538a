import type { Host } from './bucket.ts'
import { SILENT_MS, type Call, type Outcome } from './call.ts'
import type { WaitSource } from '../events.ts'
import type { BucketContext } from '../policy.ts'
import { randomsOf, waitBefore, type Wait } from './retry.ts'
import { gateOf, OPEN, type GateSnapshot } from '../snapshot.ts'

/** Decides when a bucket may send: the cooldown after a refusal, and the window that follows it. */
export interface Gate {
  /** The instant at which it opens; -Infinity once that is reported. */
  readonly opensAt: number
  /** How many ms of the cooldown are jitter. */
  readonly jitterMs: number
  /** Returns the earliest instant at which a request may be sent. */
  readyAt: (now: number) => number
  sent: (call: Call) => void
  /** Reports the opening when it is due. */
  update: (now: number) => void
  /** Closes the gate after a refusal. Returns the wait of the refused call; false if it was sent before a reset. */
  refused: (call: Call, outcome: Outcome) => Wait | false
  /** Records any end of a request. Returns the wait of a probe without a response. */
  ended: (call: Call, kind: Outcome['kind'], isElsewhere?: boolean) => Wait | undefined
  /** Closes the gate for `waitMs`. `call` is the one whose response said that nothing is left. */
  close: (waitMs: number, source: WaitSource, call?: Call) => void
  /** Lets the gate open without a probe. */
  skipProbe: () => void
  /** Returns how many requests may be in flight. */
  window: () => number
  reset: () => void
  snapshot: () => GateSnapshot
}

/** A window of this width is lifted instead of doubled. */
const WIDEST = 64

/**
 * The gate closes for a cooldown after a refusal. Then it allows one probe request, after its success 2, 4, 8 … in flight, until
 * it is fully open. A request that was sent before a closing does not count in the window after it.
 *
 * @param isBusy returns whether calls wait.
 * @param closed called when the gate has closed. `isLater`: for longer than before. `newest`: the call, if its refusal is a new event.
 */
export function createGate(
  host: Host,
  emit: BucketContext['emit'],
  isBusy: () => boolean,
  closed: (isLater: boolean, newest: Call | undefined) => void,
): Gate {
  const { time } = host
  let window = Infinity
  /** In the order of sending. */
  const inWindow = new Set<Call>()
  let passes = 0
  /** Refusal events in a row. All refusals of requests sent before the gate closed are the same event. */
  let throttles = 0
  let eventAfter = 0
  let closedAfter = 0
  let resetAfter = 0
  /** The random numbers of the current event: all its refusals use the same. */
  let randoms: readonly [number, number] | undefined
  /** The instant that the server asked for. `maxGateMs` may open the gate earlier. */
  let serverOpensAt = -Infinity
  let closedBy: WaitSource | undefined
  let shown: GateSnapshot | undefined

  function setWindow(width: number): void {
    window = width
    passes = 0
  }

  /** `isNew`: whether it is a new refusal event; undefined without a refusal. */
  function close(waitMs: number, source: WaitSource, call?: Call, jitter = 0, isNew?: boolean): void {
    if (call && call.sequence <= resetAfter) return
    const now = time.now()
    const until = now + Math.min(waitMs, host.options.maxGateMs)
    const isLater = until > gate.opensAt
    const isClosing = isNew ?? gate.opensAt === -Infinity
    closedAfter = host.newest
    inWindow.clear()
    setWindow(1)
    serverOpensAt = Math.max(serverOpensAt, now + waitMs)
    if (isLater) {
      gate.opensAt = until
      gate.jitterMs = jitter
      closedBy = source
    }
    if (isLater || isClosing)
      emit(isClosing ? 'gate-closed' : 'gate-extended', undefined, {
        until: time.toClock(gate.opensAt),
        ms: gate.opensAt - now,
        source: closedBy!,
      })
    closed(isLater, isNew ? call : undefined)
  }

  const gate: { -readonly [Name in keyof Gate]: Gate[Name] } = {
    opensAt: -Infinity,
    jitterMs: 0,
    readyAt(now) {
      for (const sent of inWindow) {
        if (inWindow.size < window) break
        const silentAt = sent.sentAt + SILENT_MS
        if (silentAt > now) return silentAt
        inWindow.delete(sent)
      }
      return gate.opensAt
    },
    sent(call) {
      if (window < Infinity) inWindow.add(call)
      if (window === 1) emit('gate-probe', call, { early: call.sentAt < serverOpensAt })
    },
    update(now) {
      if (gate.opensAt > now || gate.opensAt === -Infinity) return
      gate.opensAt = -Infinity
      emit('gate-opened')
    },
    refused(call, { waitMs: serverMs = 0, source }) {
      const isNew = call.sequence > eventAfter
      if (isNew) {
        eventAfter = host.newest
        throttles++
        randoms = randomsOf(host.options)
      }
      const [ms, jitter] = waitBefore(throttles && throttles - 1, true, host.options, serverMs, randoms)
      const by = ms > serverMs + jitter && source !== 'none' ? 'backoff' : source!
      emit('throttled', call, { ms, source: by })
      close(ms, by, call, jitter, isNew)
      return call.sequence > resetAfter && [Math.max(ms, gate.opensAt - time.now()), gate.jitterMs]
    },
    ended(call, kind, isElsewhere) {
      const wasIn = inWindow.delete(call)
      if (/passed|failed/.test(kind)) {
        if (call.isBypass || call.sequence <= closedAfter) return undefined
        throttles = 0
        // The window doubles after as many as its width. One from elsewhere only ends the backoff.
        if (isElsewhere || ++passes < window) return undefined
        const { concurrency } = host.options
        const isWide = 2 * window >= (concurrency < Infinity ? concurrency : 2 * WIDEST)
        setWindow(isWide || !isBusy() ? Infinity : 2 * window)
      } else if (wasIn && window === 1 && kind === 'lost') {
        // A lost probe: the next one waits as after a refusal, and is another call if one is queued.
        const [ms] = waitBefore(throttles, true, host.options)
        close(ms, 'backoff', call)
        return [ms + Number(isBusy()), 0]
      }
      return undefined
    },
    close,
    skipProbe: () => setWindow(Infinity),
    window: () => window,
    reset() {
      gate.opensAt = Math.min(gate.opensAt, time.now())
      serverOpensAt = -Infinity
      throttles = 0
      closedAfter = eventAfter = resetAfter = host.newest
      setWindow(Infinity)
    },
    snapshot() {
      const { opensAt } = gate
      if (opensAt <= time.now()) return OPEN
      const until = time.toClock(opensAt)
      if (shown?.until !== until || shown.source !== closedBy)
        shown = gateOf(() => Math.max(opensAt - time.now(), 0), closedBy, until)
      return shown
    },
  }
  return gate
}
