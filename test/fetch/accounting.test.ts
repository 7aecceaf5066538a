import fc from 'fast-check'
import {
  createRateLimitedFetch,
  type FetchEvent,
  type RateLimitedFetch,
  type RateLimitedFetchOptions,
} from 'lull/fetch'
import { createManualClock, type ManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { createFakeServer, tooMany, type Answer, type FakeServer } from './fake-server.ts'
import { A, B, watch, type Outcome } from './start.ts'

type Step =
  | { do: 'call'; origin: string; method: string }
  /** Lets time pass. If it is not settled, what is due happens, but what follows from it does not yet. */
  | { do: 'advance'; ms: number; isSettled: boolean }
  /** Of those pending. */
  | { do: 'abort'; which: number }
  | { do: 'pause' | 'resume' | 'reset'; origin: string | undefined }
  | { do: 'configure'; concurrency: number; maxQueue: number }

const latencies = [0, 10, 300, 1200, 4000]

const call = fc.record({
  do: fc.constant('call' as const),
  origin: fc.constantFrom(A, A, A, B),
  method: fc.constantFrom('GET', 'GET', 'PUT', 'POST'),
})
const advance = (...isSettled: boolean[]): fc.Arbitrary<Step> =>
  fc.record({
    do: fc.constant('advance' as const),
    ms: fc.oneof(fc.constantFrom(...latencies), fc.nat(20), fc.nat(600), fc.nat(3000)),
    isSettled: fc.constantFrom(...isSettled),
  })
const abort = fc.record({ do: fc.constant('abort' as const), which: fc.nat(3) })
const byHand = fc.record({
  do: fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const, 'reset' as const),
  origin: fc.constantFrom(A, undefined),
})
const configure = fc.record({
  do: fc.constant('configure' as const),
  concurrency: fc.constantFrom(1, 2, Infinity),
  maxQueue: fc.constantFrom(0, 2, 1000),
})
const size = { maxLength: 50, size: 'max' } as const

const answer = fc
  .tuple(
    fc.constantFrom(
      ...[200, 200, 200, 404, 500, 503].map((status) => ({ status })),
      ...[undefined, 0, 1, 1, 2, 5].map((seconds) => tooMany(seconds)),
      { status: 503, headers: { 'retry-after': '1' } },
      { status: 500, headers: { 'retry-after': '1' } },
      { throws: new TypeError('thrown') },
      { throws: new Error('thrown') },
      { error: new TypeError('fetch failed') },
      { error: new Error('else') },
    ),
    fc.constantFrom(...latencies),
  )
  .map(([what, latencyMs]): Answer => ({ ...what, latencyMs }))
const answers = fc.array(answer, { minLength: 1, maxLength: 8 })

/** Many throttles, whose answers come late and overlap, and probes that are lost. */
const throttles = fc.array(
  fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(1, 2, 5).map((seconds) => tooMany(seconds)) },
        { weight: 2, arbitrary: fc.constant({ status: 200 }) },
        { weight: 1, arbitrary: fc.constantFrom({ status: 500 }, { error: new TypeError('fetch failed') }) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(tooMany(), { status: 503, headers: { 'retry-after': '3' } }),
        },
      ),
      fc.constantFrom(...latencies),
    )
    .map(([what, latencyMs]): Answer => ({ ...what, latencyMs })),
  { minLength: 1, maxLength: 8 },
)

interface Run {
  clock: ManualClock
  server: FakeServer
  f: RateLimitedFetch
  events: FetchEvent[]
  outcomes: Outcome[]
  /** Of each outcome. */
  signals: AbortSignal[]
}

/** Plays `steps`, and asks `check` after each, when all that follows from it has happened. */
async function play(
  steps: readonly Step[],
  moods: readonly Answer[],
  options: RateLimitedFetchOptions,
  check: (run: Run) => void,
): Promise<Run> {
  const clock = createManualClock()
  const server = createFakeServer(clock, (_, index) => moods[index % moods.length]!)
  const events: FetchEvent[] = []
  const f = createRateLimitedFetch({
    fetch: server.fetch,
    clock,
    onEvent: (event) => events.push(event),
    ...options,
  })
  const outcomes: Outcome[] = []
  const controllers: AbortController[] = []
  const signals: AbortSignal[] = []
  const run = { clock, server, f, events, outcomes, signals }
  for (const step of steps) {
    if (step.do === 'call') {
      const controller = new AbortController()
      controllers.push(controller)
      signals.push(controller.signal)
      const body = step.method === 'GET' ? null : 'body'
      const init = { method: step.method, body, signal: controller.signal }
      outcomes.push(watch(f(`${step.origin}/${outcomes.length + 1}`, init), clock))
    } else if (step.do === 'advance') {
      if (!step.isSettled) {
        clock.advance(step.ms)
        continue
      }
      await clock.advanceAsync(step.ms)
    } else if (step.do === 'abort')
      controllers.filter((_, index) => outcomes[index]!.state === 'pending')[step.which]?.abort()
    else if (step.do === 'configure') f.configure({ concurrency: step.concurrency, maxQueue: step.maxQueue })
    else f[step.do](step.origin)
    await clock.advanceAsync(0)
    check(run)
  }
  f.resume()
  f.resume(A)
  await clock.advanceAsync(10_000_000)
  check(run)
  expect(outcomes.filter(({ state }) => state === 'pending')).toEqual([])
  expect(clock.pending).toBe(0)
  return run
}

const pendingOf = (outcomes: Outcome[]): number => outcomes.filter(({ state }) => state === 'pending').length

describe('R152 the accounts', () => {
  it(
    'R152 every call is settled, and until then it is queued, asleep or in flight',
    { timeout: 60_000 },
    async () => {
      const steps = fc.array(
        fc.oneof(
          { weight: 8, arbitrary: call },
          { weight: 8, arbitrary: advance(true, true, false) },
          { weight: 4, arbitrary: abort },
          { weight: 1, arbitrary: byHand },
          { weight: 1, arbitrary: configure },
        ),
        size,
      )
      const options = fc.record({
        concurrency: fc.constantFrom(1, 2, Infinity),
        ratePerSecond: fc.constantFrom(2, 10, Infinity),
        maxQueue: fc.constantFrom(0, 3, 1000),
        overflow: fc.constantFrom('reject-new' as const, 'drop-oldest' as const),
        maxRetries: fc.constantFrom(0, 1, 2),
        resume: fc.constantFrom('ramp' as const, 'all' as const),
        throwOnThrottle: fc.boolean(),
        retryNonIdempotent: fc.boolean(),
        maxWaitMs: fc.constantFrom(1500, 60_000),
        random: fc.constantFrom(0, 0.5, 0.999).map((drawn) => () => drawn),
      })
      await fc.assert(
        fc.asyncProperty(steps, answers, options, async (script, moods, given) => {
          await play(script, moods, given, ({ f, server, outcomes, signals }) => {
            const { queued, sleeping, inFlight, buckets } = f.snapshot()
            expect(queued + sleeping + inFlight).toBe(pendingOf(outcomes))
            expect(inFlight).toBe(server.inFlight)
            // A call that is aborted waits for nothing more.
            expect(
              signals.filter(({ aborted }, index) => aborted && outcomes[index]!.state === 'pending'),
            ).toEqual([])
            expect(queued).toBe((buckets[A]?.queued ?? 0) + (buckets[B]?.queued ?? 0))
          })
        }),
        { numRuns: 200, seed: 152 },
      )
    },
  )

  it(
    'R41 R62 R66 nothing is sent before the end of a Retry-After, nor beside a probe; the order is that of arrival',
    { timeout: 60_000 },
    async () => {
      const steps = fc.array(
        fc.oneof(
          { weight: 8, arbitrary: call },
          { weight: 6, arbitrary: advance(true) },
          { weight: 1, arbitrary: abort },
        ),
        size,
      )
      const options = fc.record({ concurrency: fc.constantFrom(1, 2, 5, Infinity) })
      let sent = 0
      let gates = 0
      await fc.assert(
        fc.asyncProperty(steps, throttles, options, async (script, moods, { concurrency }) => {
          const { server, events } = await play(
            script,
            moods,
            { concurrency, random: () => 0.5 },
            () => undefined,
          )
          expect(server.early).toEqual([])
          expect(Math.max(0, ...server.requests.map(({ together }) => together))).toBeLessThanOrEqual(
            concurrency,
          )
          expect(overtaken(events)).toEqual([])
          expect(besideProbe(events)).toEqual([])
          sent += server.requests.length
          gates += events.filter(({ type }) => type === 'gate-closed').length
        }),
        { numRuns: 200, seed: 41 },
      )
      // The property is not empty.
      expect(sent).toBeGreaterThan(2000)
      expect(gates).toBeGreaterThan(500)
    },
  )
})

/** Each time that a request is sent while one of its bucket that came before it could have been. */
function overtaken(events: readonly FetchEvent[]): { at: number; sent: number; waiting: number }[] {
  const found: { at: number; sent: number; waiting: number }[] = []
  /** Of what waits: since when it could go, and its bucket. */
  const waiting = new Map<number, { from: number; key: string }>()
  for (const event of events) {
    if (event.type === 'enqueue') waiting.set(event.call, { from: event.at, key: event.key })
    if (event.type === 'retry') {
      const from = event.at + (event.reason === 'failure' ? event.delayMs : 0)
      waiting.set(event.call, { from, key: event.key })
    }
    if (event.type === 'abort' || event.type === 'drop') waiting.delete(event.call)
    if (event.type !== 'dispatch') continue
    waiting.delete(event.call)
    for (const [call, { from, key }] of waiting)
      if (key === event.key && call < event.call && from <= event.at)
        found.push({ at: event.at, sent: event.call, waiting: call })
  }
  return found
}

/** What is sent after a closing, before a probe has come back with an answer that is no throttle. */
function besideProbe(events: readonly FetchEvent[]): FetchEvent[] {
  /** Of each bucket: the probe in flight, or that none is yet. */
  const reopening = new Map<string, number | 'no probe yet'>()
  return events.filter((event) => {
    const { type, key } = event
    const probe = reopening.get(key)
    if (type === 'gate-closed' || type === 'gate-extended') reopening.set(key, 'no probe yet')
    else if (type === 'gate-probe') reopening.set(key, event.call)
    else if (type === 'response' && event.call === probe) reopening.delete(key)
    else if ((type === 'error' || type === 'abort') && event.call === probe)
      reopening.set(key, 'no probe yet')
    return type === 'dispatch' && probe !== undefined && probe !== event.call
  })
}
