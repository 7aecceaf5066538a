import fc from 'fast-check'
import type { CircuitBreaker } from 'lull/core'
import {
  circuitBreaker,
  createRateLimitedFetch,
  holdSlot,
  priorities,
  queueTimeout,
  retryBudget,
  type RateLimitedRequestInit,
  type RetryDecision,
} from 'lull/fetch'
import { createFakeBreaker } from '../../fetch/fixtures/fake-breaker.ts'
import { answersOf } from '../../fetch/fixtures/start.ts'
import { anyOf, type Of, orNot } from '../../laws/steps.ts'
import { definePart, type World } from '../part.ts'
import { createEventModel } from './fetch-events.ts'

/** How the server responds to any request. */
type Mood =
  | { status: number; headers?: Record<string, string>; latencyMs?: number }
  | 'never'
  | 'network error'
  | 'throws'

/** Kinds of calls: queued, past the queue, or failing. */
const kinds = {
  plain: {},
  brief: { rateLimit: { queueTimeoutMs: 200, maxWaitMs: 1000 } },
  bypass: { rateLimit: false },
  keepalive: { keepalive: true },
  aborted: { signal: AbortSignal.abort() },
  bad: { method: 'GET', body: 'a body' },
} satisfies Record<string, RateLimitedRequestInit>
type CallKind = keyof typeof kinds
const usual = Array<CallKind>(12).fill('plain')

const moods: fc.Arbitrary<Mood> = fc.constantFrom<Mood[]>(
  ...(answersOf('200 200 200~2000 404 429 429/0 429/1 503/2 500') as Mood[]),
  { status: 200, headers: { ratelimit: '"a";r=0;t=2', 'ratelimit-policy': '"a";q=5;w=2' } },
  {
    status: 200,
    headers: { ratelimit: '"a";r=;;=', 'ratelimit-policy': 'what?', 'x-ratelimit-remaining': '-1e99' },
  },
  { status: 200, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3' } },
  { status: 429, headers: { 'retry-after': 'soon, 1e400, \u00fc' } },
  { status: 429, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
  'never',
  'network error',
  'throws',
)

const decisions = fc.constantFrom<RetryDecision[]>(undefined, undefined, true, false, { delayMs: 300 })

const advice: fc.Arbitrary<Advice> = fc.oneof(
  decisions.map((now) => ({ now })),
  fc.record({ laterMs: fc.constantFrom(0, 30, 3000), then: decisions }),
  fc.constant<Advice>('throws'),
)

const ORIGINS = ['https://a.test', 'https://b.test', 'https://c.test']
const origins = fc.constantFrom(...ORIGINS)
const originOrAll = orNot(origins)

const step = anyOf({
  fetch: [
    24,
    {
      origin: origins,
      method: fc.constantFrom('GET', 'GET', 'POST'),
      priority: fc.constantFrom('high', 'low', 'auto', 'auto'),
      timeoutMs: fc.constantFrom(Infinity, Infinity, 1000),
      kind: fc.constantFrom(...usual, ...(Object.keys(kinds) as CallKind[])),
    },
  ],
  abort: [3, { which: fc.nat(5) }],
  'pause reset': [1, { origin: originOrAll }],
  resume: [3, { origin: originOrAll }],
  configure: [
    1,
    {
      ratePerSecond: fc.constantFrom(5, 20, Infinity),
      maxQueue: fc.constantFrom(0, 3, 1000),
      overflow: fc.constantFrom('reject-new', 'drop-oldest', 'drop-lowest'),
      pace: fc.constantFrom('learn', 'fixed'),
    },
  ],
  'watch trip': 2,
})

type Step = Of<typeof step>

/** What `shouldRetry` decides. */
type Advice = { now: RetryDecision } | { laterMs: number; then: RetryDecision } | 'throws'

const policies = {
  budget: () => retryBudget({ capacity: 2 }),
  priorities: () => priorities(),
  timeout: () => queueTimeout(2500),
  breaker: ({ breaker }: { breaker: CircuitBreaker }) => circuitBreaker(breaker),
  slots: ({ clock }: World) => holdSlot(() => new Promise<void>((resolve) => clock.after(50, resolve))),
}

export const fetchPart = definePart({
  name: 'rate-limited fetch',
  weight: 0.2,
  options: fc.record({
    concurrency: fc.constantFrom(1, 2, 5, Infinity),
    maxQueue: fc.constantFrom(0, 3, 1000, 1000, 1000),
    maxRetries: fc.constantFrom(0, 1, 2, 2),
    throwOnThrottle: fc.boolean(),
    retryNonIdempotent: fc.boolean(),
    policies: fc.subarray(Object.keys(policies) as (keyof typeof policies)[]),
    moods: fc.array(moods, { minLength: 1, maxLength: 12 }),
    advice: fc.array(advice, { maxLength: 4 }),
  }),
  step,
  begin(world, given) {
    const { clock, claim } = world
    const { concurrency, moods, advice, maxQueue, maxRetries, throwOnThrottle, retryNonIdempotent } = given
    const fake = createFakeBreaker((what, isRight) => claim(isRight, 'reported twice', what))
    const events = createEventModel(
      world,
      maxRetries,
      advice.length === 0 && !given.policies.includes('priorities'),
    )
    const aborted = new Error('aborted')
    const inFlight = new Map<string, number>()
    // The end of the last Retry-After of each origin.
    let closed = new Map<string, { until: number; settings: number }>()
    const paused = new Set<string>()
    let calls: AbortController[] = []
    let requests = 0
    let asked = 0
    let isAtEnd = false
    let stop: (() => void) | undefined
    let resets = 0

    function count(origin: string, change: 1 | -1): number {
      const together = (inFlight.get(origin) ?? 0) + change
      inFlight.set(origin, together)
      return together
    }

    function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const request = new Request(input, init)
      // The signal of the request itself may be garbage-collected.
      const signal = init?.signal ?? request.signal
      const { origin: target, hash } = new URL(request.url)
      const origin = target + hash
      const gate = closed.get(origin)
      const isEarly = gate?.settings === clock.settings && clock.progressMs < gate.until
      claim(!isEarly, 'sent before the end of a Retry-After', origin, gate?.until)
      claim(!paused.has(origin), 'sent while paused', origin)
      claim(!isAtEnd, 'sent after dispose')
      claim(count(origin, 1) <= concurrency || hash !== '', 'sent more at a time than', concurrency)
      const mood = moods[requests++ % moods.length]!
      const resetsThen = resets
      if (mood === 'throws') {
        count(origin, -1)
        throw new TypeError('thrown')
      }
      return new Promise((resolve, reject) => {
        let cancel = (): void => undefined
        const end = (act: () => void): void => {
          cancel()
          signal.removeEventListener('abort', abort)
          count(origin, -1)
          act()
        }
        const abort = (): void => end(() => reject(signal.reason as Error))
        signal.addEventListener('abort', abort)
        if (signal.aborted) return abort()
        if (mood === 'never') return
        if (mood === 'network error')
          return void (cancel = clock.after(10, () => end(() => reject(new TypeError('fetch failed')))))
        const { status, headers = {}, latencyMs = 10 } = mood
        cancel = clock.after(latencyMs, () =>
          end(() => {
            const seconds = Number(headers['retry-after'])
            // A Retry-After counts even if the request went past queue and gate.
            if (seconds > 0 && resets === resetsThen) {
              const last = closed.get(target)
              // After a jump of the clock an earlier one no longer counts.
              const lastUntil = last?.settings === clock.settings ? last.until : 0
              const until = Math.max(clock.progressMs + seconds * 1000, lastUntil)
              closed.set(target, { until, settings: clock.settings })
            }
            resolve(new Response(null, { status, headers }))
          }),
        )
      })
    }

    function shouldRetry(): RetryDecision | Promise<RetryDecision> {
      const next = advice[asked++ % advice.length]!
      if (next === 'throws') throw new Error('thrown')
      if ('now' in next) return next.now
      return new Promise((resolve) => clock.after(next.laterMs, () => resolve(next.then)))
    }

    const fetch = createRateLimitedFetch({
      fetch: send,
      clock,
      concurrency,
      random: () => 0.5,
      attemptTimeoutMs: 5000,
      maxQueue,
      maxRetries,
      shouldRetry: advice.length > 0 ? shouldRetry : undefined,
      throwOnThrottle,
      retryNonIdempotent,
      policies: given.policies.map((name) => policies[name]({ ...world, ...fake })),
      onEvent: events.onEvent,
    })

    function call({ origin, method, priority, timeoutMs, kind }: Extract<Step, { do: 'fetch' }>): void {
      const controller = new AbortController()
      const { signal } = controller
      const own: RateLimitedRequestInit = kinds[kind]
      const rateLimit = own.rateLimit ?? { priority, totalTimeoutMs: timeoutMs }
      const url = `${origin}/${kind === 'bypass' || kind === 'keepalive' ? '#past' : ''}`
      calls.push(controller)
      const leave = (): void => {
        claim(calls.includes(controller), 'settled a call twice')
        calls = calls.filter((other) => other !== controller)
        if (number !== undefined) events.settle(number)
      }
      const outcome = fetch(url, { method, signal, ...own, rateLimit })
      const number = events.takeArrival()
      outcome.then(
        ({ status }) => {
          leave()
          claim([200, 404, 429, 500, 503].includes(status), 'resolved with status', status)
        },
        (error: unknown) => {
          leave()
          const { name, message } = error as Error
          if (kind === 'bad' || kind === 'aborted')
            return claim(number === undefined, 'counted a', kind, 'call')
          if (signal.aborted) return claim(error === aborted || isAtEnd, 'rejected with', error)
          const isKnown =
            ['RateLimitError', 'TimeoutError'].includes(name) || ['fetch failed', 'thrown'].includes(message)
          claim(isKnown || (isAtEnd && name === 'AbortError'), 'rejected with', name, message)
        },
      )
    }

    return {
      act(step) {
        if (step.do === 'fetch') call(step)
        else if (step.do === 'abort') calls[step.which]?.abort(aborted)
        else if (step.do === 'pause' || step.do === 'resume') {
          const which = step.origin === undefined ? ORIGINS : [step.origin]
          for (const origin of which) paused[step.do === 'pause' ? 'add' : 'delete'](origin)
          fetch[step.do](step.origin)
        } else if (step.do === 'reset') {
          closed = new Map()
          resets++
          events.forgetGates()
          fetch.reset()
        } else if (step.do === 'configure') {
          const { ratePerSecond, maxQueue, overflow, pace } = step
          events.forgetGates()
          fetch.configure({ ratePerSecond, maxQueue, overflow, pace })
        } else if (step.do === 'trip') fake.state.isOpen = !fake.state.isOpen
        else {
          stop?.()
          stop = stop ? undefined : fetch.subscribe(() => undefined)
        }
      },
      check() {
        const snapshot = fetch.snapshot()
        claim(snapshot === fetch.snapshot(), 'returned another snapshot without a change')
        const { queued, sleeping } = snapshot
        const sent = [...inFlight.values()].reduce((sum, count) => sum + count, 0)
        claim(snapshot.inFlight === sent, 'in flight are', snapshot.inFlight, sent)
        claim(queued + sleeping + sent === calls.length, 'known are', queued, sleeping, sent, calls.length)
        claim(!isAtEnd || calls.length === 0, 'left calls', calls.length)
        const mayTime = calls.length > 0 || !!stop || advice.length > 0 || given.policies.includes('slots')
        claim(mayTime || clock.pending === 0, 'left timers', clock.pending)
        claim(fake.out.size <= calls.length, 'did not report the outcome of', ...fake.out)
        claim(!calls.some(({ signal }) => signal.aborted), 'continues an aborted call')
      },
      idle() {
        for (const controller of calls) controller.abort(aborted)
      },
      end() {
        isAtEnd = true
        fetch.dispose()
        stop?.()
      },
    }
  },
})
