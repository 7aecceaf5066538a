import { poissonGap, type Random } from './random.ts'

/** A limit on the server. Instants are ms since the server started. */
export interface Limit {
  /** Ms until it admits a request: 0 is now, Infinity is when a request in flight ends. Counts nothing. */
  waitMs: (at: number) => number
  /** Counts an admitted request. */
  take: (at: number) => void
  /** A request was refused. */
  refused?: (at: number) => void
  /** An admitted request has ended. */
  released?: () => void
  /** Ms that the server holds back the request that it has just admitted. */
  heldMs?: (at: number) => number
  /** How many requests it would admit now. */
  remaining: (at: number) => number
  /** Ms until the whole quota is available again. */
  resetMs: (at: number) => number
  /** The number of requests allowed in `windowMs`. */
  quota: (at: number) => number
  windowMs: number
}

/** From `afterMs` on the limit is `factor` times the initial one. Sorted by `afterMs`. */
export type Changes = readonly { afterMs: number; factor: number }[]

/** Tolerance for rounded sums of instants. */
const NEAR = 1e-9

const factorAt = (changes: Changes, at: number): number =>
  changes.findLast(({ afterMs }) => at >= afterMs)?.factor ?? 1

const nextChange = (changes: Changes, at: number): number =>
  changes.find(({ afterMs }) => at < afterMs)?.afterMs ?? Infinity

export function bucket(ratePerSecond: number, burst: number, changes: Changes = []): Limit {
  let tokens = burst
  let last = 0
  const rateAt = (at: number): number => (ratePerSecond * factorAt(changes, at)) / 1000
  const sizeAt = (at: number): number => Math.max(1, burst * factorAt(changes, at))

  function levelAt(to: number): number {
    let level = tokens
    for (let from = last; from < to;) {
      const until = Math.min(to, nextChange(changes, from))
      level = Math.min(sizeAt(from), level + (until - from) * rateAt(from))
      from = until
    }
    return Math.min(level, sizeAt(to))
  }

  return {
    waitMs(at) {
      let level = levelAt(at)
      for (let from = at; ;) {
        if (level >= 1 - NEAR) return from - at
        const until = nextChange(changes, from)
        const ms = (1 - level) / rateAt(from)
        if (from + ms <= until) return from + ms - at
        level += (until - from) * rateAt(from)
        from = until
      }
    },
    take(at) {
      tokens = Math.max(0, levelAt(at) - 1)
      last = at
    },
    remaining: (at) => Math.floor(levelAt(at) + NEAR),
    resetMs: (at) => (sizeAt(at) - levelAt(at)) / rateAt(at),
    quota: (at) => Math.max(1, Math.round(rateAt(at) * (ratePerSecond < 1 ? 60_000 : 1000))),
    windowMs: ratePerSecond < 1 ? 60_000 : 1000,
  }
}

/** As nginx with `limit_req` and `burst`: holds back requests above the rate, and refuses those beyond `burst`. */
export function delaying(ratePerSecond: number, burst: number): Limit {
  const perMs = ratePerSecond / 1000
  let excess = 0
  let last = 0
  const excessAt = (at: number): number => Math.max(0, excess - (at - last) * perMs)
  return {
    waitMs(at) {
      const above = excessAt(at) - burst
      return above > NEAR ? above / perMs : 0
    },
    take(at) {
      excess = excessAt(at) + 1
      last = at
    },
    heldMs: (at) => Math.max(0, excessAt(at) - 1) / perMs,
    remaining: (at) => Math.max(0, Math.floor(burst + 1 - excessAt(at))),
    resetMs: (at) => excessAt(at) / perMs,
    quota: () => burst,
    windowMs: 1000,
  }
}

/** `limit` in each window of the server's clock; the first window began `skewMs` before the start. */
export function alignedWindow(limit: number, windowMs: number, skewMs = 0, changes: Changes = []): Limit {
  let current = 0
  let count = 0
  const limitAt = (at: number): number => Math.max(1, Math.floor(limit * factorAt(changes, at)))
  const indexAt = (at: number): number => Math.floor((at + skewMs) / windowMs + NEAR)
  const usedAt = (at: number): number => (indexAt(at) > current ? 0 : count)
  const resetMs = (at: number): number => (indexAt(at) + 1) * windowMs - skewMs - at
  return {
    waitMs: (at) =>
      usedAt(at) < limitAt(at) ? 0 : Math.max(NEAR, Math.min(resetMs(at), nextChange(changes, at) - at)),
    take(at) {
      count = usedAt(at) + 1
      current = indexAt(at)
    },
    remaining: (at) => Math.max(0, limitAt(at) - usedAt(at)),
    resetMs,
    quota: limitAt,
    windowMs,
  }
}

/** At most `limit` in any `windowMs`. */
export function slidingLog(limit: number, windowMs: number, changes: Changes = []): Limit {
  const log: number[] = []
  let head = 0
  const limitAt = (at: number): number => Math.max(1, Math.floor(limit * factorAt(changes, at)))

  function usedAt(at: number): number {
    while (head < log.length && log[head]! + windowMs <= at + NEAR) head++
    return log.length - head
  }

  return {
    waitMs(at) {
      const excess = usedAt(at) - limitAt(at)
      if (excess < 0) return 0
      return Math.max(NEAR, Math.min(log[head + excess]! + windowMs, nextChange(changes, at)) - at)
    },
    take: (at) => void log.push(at),
    remaining: (at) => Math.max(0, limitAt(at) - usedAt(at)),
    resetMs: (at) => (usedAt(at) === 0 ? 0 : log[head]! + windowMs - at),
    quota: limitAt,
    windowMs,
  }
}

/**
 * As in some edge networks: the previous window counts by the share of it that is less than `windowMs` ago.
 */
export function slidingCounter(limit: number, windowMs: number): Limit {
  let current = 0
  let count = 0
  let before = 0

  function moveTo(at: number): void {
    const index = Math.floor(at / windowMs + NEAR)
    if (index > current) {
      before = index === current + 1 ? count : 0
      count = 0
      current = index
    }
  }

  function weightedAt(at: number): number {
    moveTo(at)
    return count + before * (1 - (at / windowMs - current))
  }

  return {
    waitMs(at) {
      if (weightedAt(at) <= limit - 1 + NEAR) return 0
      const end = (current + 1) * windowMs
      const share = before > 0 ? 1 - (limit - 1 - count) / before : Infinity
      const inThis = (current + share) * windowMs
      if (count <= limit - 1 && inThis <= end) return Math.max(NEAR, inThis - at)
      const inNext = end + Math.max(0, 1 - (limit - 1) / count) * windowMs
      return Math.max(NEAR, inNext - at)
    },
    take(at) {
      moveTo(at)
      count++
    },
    remaining: (at) => Math.max(0, Math.floor(limit - weightedAt(at) + NEAR)),
    resetMs: (at) => (Math.floor(at / windowMs) + 1) * windowMs - at,
    quota: () => limit,
    windowMs,
  }
}

/** A change takes effect when a request in flight ends. */
export function inFlight(limit: number, changes: Changes = []): Limit {
  let count = 0
  return {
    waitMs: (at) => (count < Math.max(1, limit * factorAt(changes, at)) ? 0 : Infinity),
    take() {
      count++
    },
    released() {
      count--
    },
    remaining: () => Math.max(0, limit - count),
    resetMs: () => 0,
    quota: () => limit,
    windowMs: 1000,
  }
}

/** Every limit must admit a request. The fields are those of the first. */
export function allOf(...limits: [Limit, ...Limit[]]): Limit {
  return {
    ...limits[0],
    waitMs: (at) => Math.max(...limits.map((limit) => limit.waitMs(at))),
    take: (at) => limits.forEach((limit) => limit.take(at)),
    refused: (at) => limits.forEach((limit) => limit.refused?.(at)),
    released: () => limits.forEach((limit) => limit.released?.()),
  }
}

/** A refusal closes the server for `msOf` the refusals since the last success; with `isExtended` also one while it is closed. */
function closing(limit: Limit, msOf: (refusals: number) => number, isExtended = false): Limit {
  let until = -Infinity
  let refusals = 0
  return {
    ...limit,
    waitMs: (at) => Math.max(until - at, limit.waitMs(at), 0),
    take(at) {
      refusals = 0
      limit.take(at)
    },
    refused(at) {
      // Requests sent together are one offence.
      if (isExtended || at >= until) until = at + msOf(refusals++)
    },
    remaining: (at) => (at < until ? 0 : limit.remaining(at)),
  }
}

/** A refusal closes the server for `pauseMs`; with `isExtended` each request while it is closed does, too. */
export const pausing = (limit: Limit, pauseMs: number, isExtended: boolean): Limit =>
  closing(limit, () => pauseMs, isExtended)

/** A refusal closes the server for 1 s, each further one before a success for twice as long, up to 32 s. */
export const growing = (limit: Limit): Limit =>
  closing(limit, (refusals) => 1000 * 2 ** Math.min(refusals, 5))

/** A refused request counts as an admitted one does. */
export const countingRefusals = (limit: Limit): Limit => ({ ...limit, refused: limit.take })

/** At `atMs` the server is down for `forMs`, and has forgotten all counts when it returns. */
export function restarts(make: () => Limit, atMs: number, forMs: number): Limit {
  const [before, after] = [make(), make()]
  const at = (now: number): Limit => (now < atMs ? before : after)
  return {
    ...before,
    waitMs: (now) => Math.max(now >= atMs ? atMs + forMs - now : 0, at(now).waitMs(now)),
    take: (now) => at(now).take(now),
    refused: (now) => at(now).refused?.(now),
    remaining: (now) => at(now).remaining(now),
    resetMs: (now) => at(now).resetMs(now),
    quota: (now) => at(now).quota(now),
  }
}

export type Spans = readonly (readonly [from: number, to: number])[]

/** Admits nothing within `spans`. */
export function outages(limit: Limit, spans: Spans): Limit {
  const endAt = (at: number): number => spans.find(([from, to]) => at >= from && at < to)?.[1] ?? at
  return { ...limit, waitMs: (at) => Math.max(endAt(at) - at, limit.waitMs(at)) }
}

/** Ms that a request of another client is in flight. */
const HELD_MS = 100

/** Another client, a Poisson process of `ratePerSecond`, uses the same limit. */
export function sharedWith(limit: Limit, ratePerSecond: number, random: Random): Limit {
  let next = poissonGap(random, ratePerSecond)
  /** The instants at which its requests end. */
  const ends: number[] = []

  function catchUp(at: number): void {
    for (;;) {
      const [end = Infinity] = ends
      if (Math.min(end, next) > at) return
      if (end <= next) {
        ends.shift()
        limit.released?.()
      } else {
        if (limit.waitMs(next) <= 0) {
          limit.take(next)
          ends.push(next + HELD_MS)
        }
        next += poissonGap(random, ratePerSecond)
      }
    }
  }

  return {
    ...limit,
    waitMs(at) {
      catchUp(at)
      return limit.waitMs(at)
    },
    take(at) {
      catchUp(at)
      limit.take(at)
    },
  }
}
