import { createAlarm } from '../core/alarm.ts'
import { accept } from './accept.ts'
import type { BucketHost } from './bucket-host.ts'
import type { BucketParts } from './bucket-parts.ts'
import type { Bucket, Call } from './bucket-types.ts'
import { end, refuse } from './end.ts'
import { createFlow } from './flow.ts'
import { createGatekeeper } from './gatekeeper.ts'
import { opensAtFor, refuseLongWaits } from './long-waits.ts'
import { send } from './send.ts'
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
  let wakesAt = Infinity
  let isPaused = false
  let wasWaiting = false
  let judgedAt = -Infinity // The opening that those in the queue have been judged by.
  let lastSnapshot: BucketSnapshot | undefined

  const alarm = createAlarm(host.settings.clock, (at) => {
    // The clock does not move with the timers; so they tell the time.
    if (at === Infinity) time.reach(wakesAt)
    pump()
  })

  const first = (): Call | undefined => line.first(time.now(), host.settings.agingMs)
  const opensAt = (): number => (isPaused ? Infinity : gate.opensAt)

  function nextAt(call: Call, now: number): number {
    const places = Math.min(host.settings.concurrency, flow.quota.concurrency)
    if (parts.inFlight + parts.held >= places || !host.traffic.mayDepart()) return Infinity
    let at = flow.readyAt(now)
    for (const bucket of call.buckets) at = Math.max(at, bucket.gateAt(self))
    return at
  }

  function pump(): void {
    const isWaiting = line.queued + line.sleeping > 0
    // Most of the time there is nothing to do.
    if (!isWaiting && !wasWaiting && !keeper.isShut && waiters.size === 0) return host.changed()
    wasWaiting = isWaiting
    const now = time.now()
    line.wake(now)
    const isClosed = keeper.look(now)
    const head = first()
    if (head && opensAtFor(head) > judgedAt) {
      judgedAt = opensAtFor(head)
      refuseLongWaits(parts, now)
    }
    wakesAt = isClosed && host.isWatched() ? gate.opensAt : Infinity
    for (let call = first(); call; call = first()) {
      const at = nextAt(call, now)
      if (at > now) {
        wakesAt = Math.min(wakesAt, at)
        break
      }
      line.remove(call)
      send(parts, call, now)
    }
    wakesAt = Math.min(wakesAt, line.wakesAt)
    if (wakesAt < Infinity) alarm.set(time.toClock(wakesAt))
    else alarm.clear()
    host.traffic.waits(self, line.queued + line.sleeping > 0)
    const told = [...waiters]
    waiters.clear()
    for (const waiter of told) waiter.update()
    host.changed()
  }

  const self: Bucket = {
    key,
    accept: (call) => accept(parts, call),
    nextArrival: () => first()?.arrival ?? Infinity,
    opensAt,
    gateAt(waiter) {
      if (!isPaused && gate.hasRoom()) return gate.opensAt
      if (waiter !== self) waiters.add(waiter)
      return Infinity
    },
    throttlesBefore: (call) => gate.throttlesBefore(call.sequence),
    drawn: keeper.drawn,
    passes: () => gate.sent(),
    returned(call, outcome, nextMs) {
      toll.returned(call, outcome)
      if (!call.isBypass) for (const bucket of call.buckets) bucket.answered(call, outcome, nextMs)
    },
    answered: (call, outcome, nextMs) => keeper.returned(call, outcome, line.queued > 0, nextMs),
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
      if (call.phase !== 'queued' || rank >= call.rank) return
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
      judgedAt = -Infinity
      if (isOnline) line.wakeEndless()
      pump()
    },
    dispose(reason) {
      for (const call of line.clear()) refuse(parts, call, 'disposed', reason)
      pump()
    },
    idleSince() {
      const isBusy = line.queued + line.sleeping + parts.inFlight + parts.held > 0 || isPaused
      const now = time.now()
      return isBusy || gate.opensAt > now || !flow.isRested(now) ? Infinity : parts.lastAt
    },
    snapshot() {
      const { queued, sleeping } = line
      const { source } = keeper
      const budget = (): number | undefined => toll.budget
      const state = { queued, sleeping, inFlight: parts.inFlight, opensAt: opensAt(), source, budget }
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
    lastAt: time.now(),
    nextAt,
    pump,
  }
  return self
}
