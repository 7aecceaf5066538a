import fc from 'fast-check'
import { learnPace, legacyRateLimitFields, rateLimitFields, type BucketContext, type Call } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { bucket } from '../../field/limits.ts'
import { forAll } from '../../laws/tries.ts'
import { A, compose, paths } from '../fixtures/start.ts'

type Field = ReturnType<typeof open>
type PolicySnapshot = { pace?: ReturnType<Field['pace']> }

/** A server with 25 ms latency; `limit` returns Retry-After in seconds, NaN for none, 0 for a 200. */
function open(
  limit: (at: number, index: number) => number,
  policies = [learnPace()],
  fields: object = {},
  refusalFields = fields,
) {
  const options = { random: () => 0.5, maxRetries: Infinity, maxWaitMs: Infinity, maxQueue: Infinity }
  /** Instant and status of each request. */
  const log: { at: number; status: number }[] = []
  const { f, clock } = compose(policies, options, ({ at }) => {
    const wait = limit(at, log.length)
    const status = wait === 0 ? 200 : 429
    log.push({ at, status })
    const headers = {
      ...(wait === 0 ? fields : refusalFields),
      ...(wait > 0 && { 'retry-after': String(wait) }),
    }
    return { status, latencyMs: 25, headers }
  })
  const pace = () => f.snapshot(A)?.pace
  return { f, clock, log, pace }
}

function bucketOf(ratePerSecond: number, burst: number): (at: number) => number {
  const { waitMs, take } = bucket(ratePerSecond, burst)
  return (at) => {
    const seconds = Math.ceil(waitMs(at) / 1000)
    if (seconds === 0) take(at)
    return seconds
  }
}

async function serve({ f, clock }: Field, count: number, forMs: number): Promise<number> {
  let served = 0
  for (let n = 0; n < count; n++) void f(`${A}/${n}`).then(() => served++)
  await clock.advanceAsync(forMs)
  return served
}

const refusals = ({ log }: Field): number => log.filter(({ status }) => status === 429).length

describe('learnPace', () => {
  it('finds the rate of a token bucket and then gets hardly any refusals', async () => {
    const field = open(bucketOf(20, 10))
    expect(await serve(field, 400, 25_000)).toBe(400)
    expect(field.pace()!.from).toBe('refusals')
    expect(Math.abs(field.pace()!.ratePerSecond - 20)).toBeLessThan(3)
    const events = field.log.filter(
      ({ at, status }, index) => status === 429 && at !== field.log[index - 1]?.at,
    )
    expect(events.length).toBeLessThan(8)
  })

  it('finds the rate of a limit without a burst, which refuses the second request after each cooldown', async () => {
    const field = open(bucketOf(20, 1))
    expect(await serve(field, 400, 60_000)).toBe(400)
    expect(refusals(field)).toBeLessThan(80)
  })

  it('learns nothing from refused probes without successes before', async () => {
    const field = open((at) => (at < 20_000 ? 1 : 0), [learnPace({ firstWindow: Infinity })])
    const alone = open((at) => (at < 20_000 ? 1 : 0), [])
    await serve(field, 50, 60_000)
    await serve(alone, 50, 60_000)
    expect(field.pace()).toBe(undefined)
    expect(field.log).toEqual(alone.log)
  })

  it('a thousand calls at once, of which each hundredth is refused, wait for two pauses at most', async () => {
    let requests = 0
    const field = open(() => (++requests % 100 === 50 ? 1 : 0))
    expect(await serve(field, 1000, 2500)).toBe(1000)
  })

  it('counts what passed before a short idle time: after the cooldown the second screen is not held back', async () => {
    let taken = 0
    const window = (at: number): number => (at >= 60_000 || ++taken <= 50 ? 0 : Math.ceil(60 - at / 1000))
    const field = open(window, [learnPace({ firstWindow: 100 })])
    await serve(field, 41, 6000)
    expect(await serve(field, 41, 60_500)).toBe(41)
    expect(refusals(field)).toBe(32)
  })

  it('has no first window once the server has named its limit', async () => {
    const fields = { ratelimit: '"a";r=19;t=1', 'ratelimit-policy': '"a";q=20;w=1' }
    // The second request is refused once: that does not bring the window back.
    const field = open((_, index) => Number(index === 1), [learnPace(), rateLimitFields()], fields)
    for (let n = 0; n < 2; n++) await serve(field, 1, 10_000)
    await serve(field, 60, 0)
    expect(field.log).toHaveLength(3 + 18)
  })

  /** The number of requests at each instant. */
  function sizes({ log }: Field): number[] {
    const instants = log.map(({ at }) => at)
    return [...new Set(instants)].map((at) => instants.filter((other) => other === at).length)
  }

  it('doubles its first window to 16 and 32, then has none', async () => {
    const field = open(() => 0)
    await serve(field, 200, 75)
    expect(sizes(field)).toEqual([8, 16, 32, 144])
    field.log.length = 0
    await field.clock.advanceAsync(10_000)
    await serve(field, 60, 0)
    expect(sizes(field)).toEqual([60])
  })

  it('has a first window again after a rest if only a refusal is known, until that many pass again', async () => {
    let taken = 0
    const field = open((at) => (at >= 3000 || ++taken <= 5 ? 0 : 3))
    await serve(field, 8, 30_000)
    for (const expected of [[8, 16, 32, 44], [100]]) {
      field.log.length = 0
      await serve(field, 100, 10_000)
      expect(sizes(field)).toEqual(expected)
    }
  })

  it('keeps its estimate over a rest, after which the burst is sent at once', async () => {
    const field = open(bucketOf(20, 20))
    await serve(field, 200, 30_000)
    const known = field.pace()
    expect(known?.burst).toBe(20)
    await field.clock.advanceAsync(3_600_000)
    expect(field.pace()).toBe(known)
    const before = refusals(field)
    expect(await serve(field, 18, 25)).toBe(18)
    expect(refusals(field)).toBe(before)
  })

  it.each([2, 4, 6, 8, 10, 12])('a sleep of the machine after %d s lowers no pace', async (seconds) => {
    const limit = bucketOf(10, 5)
    const field: Field = open(() => limit(field.clock.wall()))
    await serve(field, 200, seconds * 1000)
    field.clock.setWall(field.clock.wall() + 3_600_000)
    await field.clock.advanceAsync(60_000)
    expect(field.log.length - refusals(field)).toBe(200)
  })

  it('a sleep between two refusals of the same moment lowers no pace', async () => {
    const limit = bucketOf(10, 5)
    const field: Field = open(() => limit(field.clock.wall()))
    const stop = field.f.subscribe(() => {
      if (field.f.snapshot().gate.open) return
      stop()
      field.clock.setWall(field.clock.wall() + 3_600_000)
    })
    expect(await serve(field, 200, 60_000)).toBe(200)
  })
})

it.each([
  ['none', 'names what is left', { ratelimit: '"a";r=99;t=60', 'ratelimit-policy': '"a";q=100;w=60' }],
  ['refusals', 'names its policy alone', { 'ratelimit-policy': '"a";q=100;w=60' }],
  ['refusals', 'names what is left in refusals alone', {}, { ratelimit: '"a";r=0;t=1' }],
  ['refusals', 'names older fields', { 'x-ratelimit-remaining': '99', 'x-ratelimit-reset': '60' }],
])('the pace is from %s if the server %s', async (from, _, fields, refusalFields?: object) => {
  // The last policy's pace is shown.
  const field = open(
    bucketOf(20, 10),
    [rateLimitFields(), legacyRateLimitFields(), learnPace()],
    fields,
    refusalFields,
  )
  await serve(field, 100, 60_000)
  expect(refusals(field)).toBeGreaterThan(0)
  expect(field.pace()?.from ?? 'none').toBe(from)
})

it('what others claim to have sent at one instant raises the pace once, by a twentieth', async () => {
  let shared!: BucketContext
  const spy = (context: BucketContext) => {
    shared = context
    return {}
  }
  const field = open(bucketOf(20, 10), [learnPace(), spy])
  await serve(field, 400, 30_000)
  const { ratePerSecond } = field.pace()!
  const call = { sequence: 1e6, sentAt: shared.now() } as Call
  for (let n = 0; n < 900; n++) for (const hooks of shared.policies()) hooks.sent?.(call, shared.now())
  shared.changed()
  // The pace shown is what was found; the one in use may be higher by some percent.
  expect(field.pace()!.ratePerSecond / ratePerSecond).toBeGreaterThan(1)
  expect(field.pace()!.ratePerSecond / ratePerSecond).toBeLessThan(1.2)
})

describe('a run of requests that ends with refusals', () => {
  /** Runs, each of so many passes, one every `everyMs`, and refusals that ask for a second. Returns the pace after the last. */
  function paceAfter(...runs: [passes: number, everyMs: number, refusals: number][]): number | undefined {
    const hooks = startPolicy(1)
    let now = 0
    for (const [passes, everyMs, refusals] of [...runs, [0, 0, 1]] as const) {
      const calls = paths(passes + refusals).map(
        (_, n) => ({ sequence: n, sentAt: now + n * everyMs }) as Call,
      )
      for (const call of calls) hooks.sent!(call, (now = call.sentAt))
      for (const call of calls.slice(0, passes)) hooks.ended!(call, { kind: 'passed' }, now)
      hooks.closed!(now + 1000, calls[passes])
      for (const call of calls.slice(passes)) hooks.ended!(call, { kind: 'throttled' }, now)
      now += 1000
    }
    return (hooks.snapshot!() as PolicySnapshot).pace?.ratePerSecond
  }

  it('sets a pace, but not before the third time if each has a single one', () => {
    expect(paceAfter([20, 50, 2])).toBeGreaterThan(10)
    expect(paceAfter([20, 50, 1], [20, 50, 1])).toBe(undefined)
    expect(paceAfter([20, 50, 1], [20, 50, 1], [20, 50, 1])).toBeGreaterThan(10)
  })

  it('keeps the search going if other tabs have held the refused requests back: a quarter above what was served', () => {
    expect(paceAfter([20, 50, 2], [6, 200, 2])).toBeCloseTo((1.25 * 6) / 2.2, 0)
  })
})

it('after any events learnPace returns a finite instant from now on and a rate above 0', () => {
  const instants = fc.oneof(
    fc.integer({ min: -1e6, max: 1e6 }),
    fc.nat(1000),
    fc.constantFrom(0, 1e12, 0.1, -1e12),
  )
  const step = fc.tuple(
    fc.constantFrom('sent' as const, 'passed' as const, 'refused' as const, 'extended' as const),
    fc.integer({ min: 1, max: 30 }),
    instants,
    instants,
  )
  let paces = 0
  forAll(500, fc.array(step, { maxLength: 60, size: 'max' }), fc.nat(5), (steps, size) => {
    const hooks = startPolicy(size)
    for (const [what, times, at, other] of steps) {
      for (let n = 0; n < times; n++) {
        const call = { sentAt: at + 10 * n } as Call
        if (what === 'sent') hooks.sent!(call, call.sentAt)
        else if (what === 'passed') hooks.ended!(call, { kind: 'passed' }, call.sentAt)
        else {
          hooks.closed!(other, what === 'refused' ? call : undefined)
          hooks.ended!(call, { kind: 'throttled' }, call.sentAt)
        }
      }
      for (const now of [at, other]) {
        const readyAt = hooks.readyAt!(now, {} as Call)
        expect(readyAt >= now && readyAt < Infinity, `readyAt(${now}) is ${readyAt}`).toBe(true)
      }
      const { pace } = hooks.snapshot!() as PolicySnapshot
      if (!pace) continue
      paces++
      expect(pace.ratePerSecond > 0 && pace.ratePerSecond < Infinity, `${pace.ratePerSecond}`).toBe(true)
      expect(pace.burst >= 1 && pace.burst < Infinity, `${pace.burst}`).toBe(true)
    }
  })
  expect(paces).toBeGreaterThan(100)
})

/** The hooks of a bucket with `size` queued calls. */
function startPolicy(size: number) {
  return learnPace()({
    options: { concurrency: Infinity },
    size: () => size,
    inFlight: () => 0,
    now: () => 0,
    skipProbe: () => undefined,
  } as unknown as BucketContext)
}
