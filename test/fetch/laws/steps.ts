import fc from 'fast-check'
import { tooMany, type Answer } from '../fixtures/fake-server.ts'
import { A, B } from '../fixtures/start.ts'

export type CallKind = 'plain' | 'bypass' | 'keepalive' | 'high' | 'low' | 'brief' | 'aborted' | 'bad'

/** What is done with a rate-limited fetch. */
export type Step =
  | { do: 'call'; origin: string; method: string; kind: CallKind }
  /** Lets time pass. If it is not settled, what is due happens, but what follows from it does not yet. */
  | { do: 'advance'; ms: number; isSettled: boolean }
  /** Of those pending. */
  | { do: 'abort'; which: number }
  | { do: 'pause' | 'resume' | 'reset'; origin: string | undefined }
  | { do: 'configure'; concurrency: number; maxQueue: number }
  | { do: 'dispose' }

const latencies = [0, 10, 300, 1200, 4000]

export const callOf = (...kinds: CallKind[]): fc.Arbitrary<Step> =>
  fc.record({
    do: fc.constant('call' as const),
    origin: fc.constantFrom(A, A, A, B),
    method: fc.constantFrom('GET', 'GET', 'PUT', 'POST'),
    kind: fc.constantFrom(...kinds),
  })
export const advance = (...isSettled: boolean[]): fc.Arbitrary<Step> =>
  fc.record({
    do: fc.constant('advance' as const),
    ms: fc.oneof(fc.constantFrom(...latencies), fc.nat(20), fc.nat(600), fc.nat(3000)),
    isSettled: fc.constantFrom(...isSettled),
  })
export const abort: fc.Arbitrary<Step> = fc.record({ do: fc.constant('abort' as const), which: fc.nat(3) })
export const byHand: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const, 'reset' as const),
  origin: fc.constantFrom(A, undefined),
})
export const configure: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('configure' as const),
  concurrency: fc.constantFrom(1, 2, Infinity),
  maxQueue: fc.constantFrom(0, 2, 1000),
})
export const dispose: fc.Arbitrary<Step> = fc.constant({ do: 'dispose' })
export const size = { maxLength: 50, size: 'max' } as const

/** An answer that can be late. */
type Details = Exclude<Answer, number | Response | Error>

const limited = (status: number, ratelimit: string): Details => ({
  status,
  headers: { ratelimit, 'ratelimit-policy': '"a";q=10;w=1' },
})
const late = ([what, latencyMs]: [Details, number]): Answer => ({ ...what, latencyMs })

/** Of all kinds. */
export const answers: fc.Arbitrary<Answer[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom<Details[]>(
        ...[200, 200, 200, 404, 500, 503].map((status) => ({ status })),
        ...[undefined, 0, 1, 1, 2, 5].map((seconds) => tooMany(seconds)),
        { status: 503, headers: { 'retry-after': '1' } },
        { status: 500, headers: { 'retry-after': '1' } },
        limited(200, '"a";r=0;t=2'),
        limited(200, '"a";r=1;t=1'),
        limited(200, '"a";r=9;t=1'),
        limited(429, '"a";r=0;t=3'),
        { throws: new TypeError('thrown') },
        { throws: new Error('thrown') },
        { error: new TypeError('fetch failed') },
        { error: new Error('else') },
      ),
      fc.constantFrom(...latencies),
    )
    .map(late),
  { minLength: 1, maxLength: 8 },
)

/** Many throttles, whose answers come late and overlap, and probes that are lost. */
export const throttles: fc.Arbitrary<Answer[]> = fc.array(
  fc
    .tuple(
      fc.oneof<fc.MaybeWeightedArbitrary<Details>[]>(
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
    .map(late),
  { minLength: 1, maxLength: 8 },
)
