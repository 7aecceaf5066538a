import fc from 'fast-check'
import { priorities, queueTimeout, retryBudget, type FetchEvent } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { play } from './play.ts'
import { A, B } from '../fixtures/start.ts'
import { abort, advance, answers, byHand, callOf, configure, dispose, size } from './steps.ts'
import { tries } from '../../laws/tries.ts'

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: callOf('plain', 'plain', 'high', 'low', 'brief') },
    { weight: 2, arbitrary: callOf('bypass', 'keepalive', 'aborted', 'bad') },
    { weight: 8, arbitrary: advance(true, true, false) },
    { weight: 4, arbitrary: abort },
    { weight: 1, arbitrary: byHand },
    { weight: 1, arbitrary: configure },
  ),
  size,
)
/** One in three disposes of the fetch in the middle. */
const scripts = fc
  .tuple(steps, fc.constantFrom(0, 0, 1), steps)
  .chain(([before, disposals, after]) =>
    fc
      .array(dispose, { minLength: disposals, maxLength: disposals })
      .map((middle) => [...before, ...middle, ...after.slice(0, 10)]),
  )

const options = fc.record({
  concurrency: fc.constantFrom(1, 2, Infinity),
  ratePerSecond: fc.constantFrom(2, 10, Infinity),
  maxQueue: fc.constantFrom(0, 3, 1000),
  overflow: fc.constantFrom('reject-new' as const, 'drop-oldest' as const, 'drop-lowest' as const),
  maxRetries: fc.constantFrom(0, 1, 2),
  pace: fc.constantFrom('learn' as const, 'fixed' as const),
  throwOnThrottle: fc.boolean(),
  retryNonIdempotent: fc.boolean(),
  maxWaitMs: fc.constantFrom(1500, 60_000),
  attemptTimeoutMs: fc.constantFrom(500, Infinity),
  totalTimeoutMs: fc.constantFrom(6000, Infinity),
  policies: fc.constantFrom(
    [],
    [priorities(), queueTimeout(2500)],
    [queueTimeout(Infinity), retryBudget({ capacity: 2 })],
  ),
  random: fc.constantFrom(0, 0.5, 0.999).map((drawn) => () => drawn),
})

const LETTERS: Partial<Record<FetchEvent['type'], string>> = {
  enqueue: 'E',
  bypass: 'B',
  dispatch: 'D',
  response: 'R',
  error: 'X',
  throttled: 'T',
  retry: 'Y',
  'give-up': 'G',
  drop: 'O',
  abort: 'A',
}

/** Comes, is sent again and again, and ends once, be it in flight: nothing is heard of it afterwards. */
const LIFE = /^[EB](D(RT?|X)Y)*(O|A|D(O|A|(RT?|X)[AGO]?))$/

/** What happened to each call, as a word. */
function livesOf(events: readonly FetchEvent[]): string[] {
  const words: string[] = []
  for (const event of events)
    if ('call' in event) words[event.call] = (words[event.call] ?? '') + (LETTERS[event.type] ?? '')
  return Object.values(words)
}

describe('the accounts', () => {
  it(
    'every call is settled once, and until then it is queued, asleep or in flight',
    { timeout: 60_000 },
    async () => {
      const lives = new Set<string>()
      await fc.assert(
        fc.asyncProperty(scripts, answers, options, async (script, moods, given) => {
          const { events, unruly, past } = await play(script, moods, given, (run) => {
            const { f, server, outcomes, signals, numbers } = run
            const { queued, sleeping, inFlight, buckets } = f.snapshot()
            const pending = outcomes.filter(({ state }) => state === 'pending').length
            expect(queued + sleeping + inFlight).toBe(pending)
            const settled = outcomes.filter(({ state }, index) => state !== 'pending' && numbers[index])
            const counted = run.events.filter(({ type }) => type === 'enqueue' || type === 'bypass').length
            expect(counted).toBe(settled.length + queued + sleeping + inFlight)
            expect(inFlight).toBe(server.inFlight)
            // A call that is aborted waits for nothing more.
            expect(
              signals.filter(({ aborted }, index) => aborted && outcomes[index]!.state === 'pending'),
            ).toEqual([])
            expect(queued).toBe((buckets[A]?.queued ?? 0) + (buckets[B]?.queued ?? 0))
          })
          expect(unruly).toEqual([])
          for (const event of events)
            if (event.type === 'enqueue' || event.type === 'bypass')
              expect(past.has(event.call)).toBe(event.type === 'bypass')
          for (const life of livesOf(events)) {
            expect(life).toMatch(LIFE)
            lives.add(life)
          }
        }),
        tries(100),
      )
      // The property is not empty.
      expect(lives.size).toBeGreaterThan(30)
    },
  )
})
