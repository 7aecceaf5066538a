import type { World } from '../part.ts'

export interface LimitChanges {
  ratePerSecond?: number | undefined
  burst?: number | undefined
  capacity?: number | undefined
  limit?: number | undefined
  windowMs?: number | undefined
}

/** What a limit may let pass in any time, and when it must. */
export interface Envelope {
  /** `cost` passes in `inMs`: claims that it may. What this answers takes it back, up to then. */
  admit: (cost: number, inMs?: number) => () => void
  configure: (changes: LimitChanges) => void
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

interface Booking {
  at: number
  cost: number
}

/** Admissions in the order of their instants: bookings are kept until theirs has come. Forgets them if the clock is set back. */
function inOrder({ clock }: World, admit: (booking: Booking) => void, forget: () => void) {
  let booked: Booking[] = []
  let { setBackMs } = clock

  function settle(): void {
    if (clock.setBackMs !== setBackMs && booked.length > 0) {
      booked = []
      forget()
    }
    setBackMs = clock.setBackMs
    while (booked[0] && booked[0].at <= clock.progressMs) admit(booked.shift()!)
  }

  return {
    settle,
    add(cost: number, inMs: number): () => void {
      settle()
      const booking = { at: clock.progressMs + inMs, cost }
      if (inMs > 0) booked.splice(booked.findLastIndex(({ at }) => at <= booking.at) + 1, 0, booking)
      else admit(booking)
      return () => {
        settle()
        booked = booked.filter((other) => other !== booking)
      }
    },
  }
}

/** In any time of length L no more than rate · L + burst, as whoever reads the clock measures it. */
export function createBucketEnvelope(world: World, ratePerSecond: number, burst: number): Envelope {
  const { clock, claim } = world
  // What has passed and has not leaked away: at most the greatest burst since it was 0.
  let used = 0
  let mostBurst = burst
  let mostRate = ratePerSecond
  const gain = createGain(world)
  let at = clock.progressMs
  // What must be left at least, by the time that has really passed.
  let least = burst
  let sure = { elapsedMs: clock.elapsedMs, setBackMs: clock.setBackMs }

  function leak(until: number): void {
    used = Math.max(used - ((until - at) * ratePerSecond) / 1000, 0)
    if (used === 0) {
      ;[mostBurst, mostRate] = [burst, ratePerSecond]
      gain.forget()
    }
    at = Math.max(at, until)
  }

  const order = inOrder(
    world,
    (booking) => {
      leak(booking.at)
      used += booking.cost
      const most = mostBurst + (gain.read() * mostRate) / 1000
      claim(used <= most + ROUNDING, 'let pass more than rate and burst allow', used, most)
    },
    () => (used = 0),
  )

  function look(): void {
    order.settle()
    leak(clock.progressMs)
    const ms = clock.elapsedMs - sure.elapsedMs - (clock.setBackMs - sure.setBackMs)
    least = Math.min(least + (ms * ratePerSecond) / 1000, burst)
    sure = { elapsedMs: clock.elapsedMs, setBackMs: clock.setBackMs }
  }

  return {
    admit(cost, inMs = 0) {
      look()
      least -= cost
      return order.add(cost, inMs)
    },
    configure(changes) {
      look()
      ratePerSecond = changes.ratePerSecond ?? ratePerSecond
      burst = changes.burst ?? changes.capacity ?? burst
      mostBurst = Math.max(mostBurst, burst)
      mostRate = Math.max(mostRate, ratePerSecond)
      least = Math.min(least, burst)
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
  let passed: Booking[] = []
  let [mostLimit, leastWindowMs, mostWindowMs] = [limit, windowMs, windowMs]
  let last = { at: -Infinity, setBackMs: 0 }
  const gain = createGain(world)

  let { setBackMs } = clock

  const order = inOrder(
    world,
    (booking) => {
      // Two windows that are aligned are the clock's: set back, it begins another one.
      if (factor === 2 && clock.setBackMs !== setBackMs) passed = []
      setBackMs = clock.setBackMs
      passed = passed.filter(({ at }) => booking.at - at < leastWindowMs - gain.read() - ROUNDING)
      if (passed.length === 0) {
        ;[mostLimit, leastWindowMs] = [limit, windowMs]
        gain.forget()
      }
      passed.push(booking)
      const sum = passed.reduce((sum, { cost }) => sum + cost, 0)
      const most = (mostLimit + over) * factor
      claim(sum <= most + ROUNDING, 'let pass more than the window allows', sum, most)
    },
    () => (passed = []),
  )

  return {
    admit(cost, inMs = 0) {
      last = { at: Math.max(last.at, clock.elapsedMs + inMs), setBackMs: clock.setBackMs }
      return order.add(cost, inMs)
    },
    configure(changes) {
      order.settle()
      limit = changes.limit ?? limit
      windowMs = changes.windowMs ?? windowMs
      mostLimit = Math.max(mostLimit, limit)
      leastWindowMs = Math.min(leastWindowMs, windowMs)
      mostWindowMs = Math.max(mostWindowMs, windowMs)
      last = { at: Math.max(last.at, clock.elapsedMs), setBackMs: clock.setBackMs }
    },
    // After two windows in which nothing passed there is nothing left of what did.
    isOverdue(cost) {
      order.settle()
      const sureMs = clock.elapsedMs - last.at - (clock.setBackMs - last.setBackMs)
      return cost <= limit && sureMs >= 2 * mostWindowMs
    },
  }
}
