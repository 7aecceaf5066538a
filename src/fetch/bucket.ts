import { accept } from './accept.ts'
import type { BucketHost } from './bucket-host.ts'
import type { BucketParts } from './bucket-parts.ts'
import type { Bucket, Call } from './bucket-types.ts'
import { end, refuse } from './end.ts'
import { createFlow } from './flow.ts'
import { createGatekeeper } from './gatekeeper.ts'
import { createPump } from './pump.ts'
import { snapshotOf } from './snapshot.ts'
import type { BucketSnapshot } from './snapshot-types.ts'
import { createToll } from './toll.ts'
import { createWaitingLine } from './waiting-line.ts'

export function createBucket(key: string, host: BucketHost): Bucket {
  const { time } = host
  const line = createWaitingLine()
  const flow = createFlow(() => host.settings, time.now())
  const { gate } = flow
  const keeper = createGatekeeper(key, host, flow)
  const toll = createToll(key, host)
  const waiters = new Set<Bucket>()
  let isPaused = false
  let calls = 0
  let idleSince = time.now()
  let lastSnapshot: BucketSnapshot | undefined

  const first = (): Call | undefined => line.first(time.now(), host.settings.agingMs)
  const opensAt = (): number => (isPaused ? Infinity : gate.opensAt)

  function nextAt(call: Call, now: number): number {
    const places = Math.min(host.settings.concurrency, flow.quota.concurrency)
    const isFull = parts.inFlight + parts.held >= places || parts.isJudging || !host.traffic.mayDepart()
    let at = isFull ? Infinity : flow.readyAt(now)
    // Asked in any case: a gate tells those who have asked when it has changed.
    for (const bucket of call.buckets) at = Math.max(at, bucket.gateAt(self))
    return at
  }

  const self: Bucket = {
    key,
    enter() {
      calls++
    },
    leave() {
      if (--calls === 0) idleSince = time.now()
    },
    accept: (call) => accept(parts, call),
    nextArrival: () => first()?.arrival ?? Infinity,
    opensAt,
    gateAt(waiter) {
      if (waiter !== self) waiters.add(waiter)
      return !isPaused && gate.hasRoom() ? gate.opensAt : Infinity
    },
    throttlesBefore: (call) => gate.throttlesBefore(call.sequence),
    drawn: keeper.drawn,
    passes(call) {
      const isProbe = gate.window === 1
      gate.sent()
      if (isProbe) keeper.probes(call)
    },
    returned(call, outcome, nextMs) {
      // A function of the user's may have thrown when it had been reported already.
      if (!call.isOut) return
      call.isOut = false
      if (!call.isBypass) for (const bucket of call.buckets) bucket.answered(call, outcome, nextMs)
      toll.returned(call, outcome)
    },
    // Who waits in a bucket below waits here too.
    answered: (call, outcome, nextMs) =>
      keeper.returned(call, outcome, line.queued() + waiters.size > 0, nextMs),
    close: (call, closing, source) => keeper.close(call, closing, source),
    delay(until) {
      keeper.delay(until)
      pump()
    },
    learn: (call, verdict) => keeper.learn(call, verdict, parts.inFlight),
    whyNot: toll.whyNot,
    again(call, waitMs) {
      if (waitMs > 0) line.sleep(call, time.now() + waitMs)
      else line.enqueue(call)
    },
    end: (call, outcome, response) => end(parts, call, outcome, response),
    promote(call, rank) {
      if (call.phase !== 'queued' || call.isOver || rank < 0 || rank >= call.rank) return
      line.remove(call)
      call.rank = rank
      line.enqueue(call)
      pump()
    },
    setPaused(paused) {
      isPaused = paused
      pump()
    },
    reset() {
      flow.reset(time.now(), host.traffic.newest)
      pump()
    },
    update(isOnline) {
      flow.update(time.now())
      parts.judgedAt = -Infinity
      if (isOnline) line.wakeEndless()
      pump()
    },
    dispose(reason) {
      for (const call of line.clear()) refuse(parts, call, 'disposed', reason)
      pump()
    },
    idleSince() {
      const isBusy = calls + parts.held > 0 || isPaused
      const now = time.now()
      return isBusy || gate.opensAt > now || !flow.isRested(now) ? Infinity : idleSince
    },
    snapshot() {
      const state = {
        queued: line.queued(),
        sleeping: line.sleeping(),
        inFlight: parts.inFlight,
        opensAt: opensAt(),
        source: keeper.source,
        budget: (): number | undefined => toll.budget,
      }
      return (lastSnapshot = snapshotOf(state, flow, host, lastSnapshot))
    },
  }
  const parts: BucketParts = {
    key,
    host,
    line,
    flow,
    keeper,
    toll,
    self,
    inFlight: 0,
    held: 0,
    isJudging: false,
    judgedAt: -Infinity,
    nextAt,
    hasWaiters: () => waiters.size > 0,
    pump: (isFresh) => pump(isFresh),
  }
  const pump = createPump(parts, () => {
    const told = [...waiters]
    waiters.clear()
    for (const waiter of told) waiter.update()
  })
  return self
}
