import {
  createRateLimitedFetch,
  type FetchEvent,
  type RateLimitedFetch,
  type RateLimitedFetchOptions,
  type RateLimitedRequestInit,
} from 'lull/fetch'
import { createManualClock, type ManualClock } from 'lull/testing'
import { expect } from 'vitest'
import { createFakeServer, type Answer, type FakeServer } from '../fixtures/fake-server.ts'
import { A, B, watch, type Outcome } from '../fixtures/start.ts'
import type { CallKind, Step } from './steps.ts'

export interface Run {
  clock: ManualClock
  server: FakeServer
  f: RateLimitedFetch
  events: FetchEvent[]
  outcomes: Outcome[]
  /** Of each outcome. */
  signals: AbortSignal[]
  /** Requests that went out although they had to wait: paused, throttled, or beyond the concurrency. */
  unruly: string[]
  /** Of each outcome: the number of its call; undefined for one that was refused before it counted. */
  numbers: (number | undefined)[]
  /** The calls that may go past queue and gate, by their number. */
  past: Set<number>
}

const initOf: Record<CallKind, RateLimitedRequestInit> = {
  plain: {},
  bypass: { rateLimit: false },
  keepalive: { keepalive: true },
  high: { priority: 'high' },
  low: { rateLimit: { priority: 'low' } },
  brief: { rateLimit: { queueTimeoutMs: 200, totalTimeoutMs: 1500, maxWaitMs: 1000 } },
  aborted: {},
  bad: { method: 'GET', body: 'a body' },
}

/** Plays `steps`, and asks `check` after each, when all that follows from it has happened. */
export async function play(
  steps: readonly Step[],
  moods: readonly Answer[],
  options: RateLimitedFetchOptions,
  check: (run: Run) => void,
): Promise<Run> {
  const clock = createManualClock()
  const server = createFakeServer(clock, (_, index) => moods[index % moods.length]!)
  const events: FetchEvent[] = []
  const unruly: string[] = []
  const numbers: (number | undefined)[] = []
  const past = new Set<number>()
  /** What has been asked for, by origin. */
  const paused = new Set<string>()
  const closedUntil = new Map<string, number>()
  const held = new Map<string, number>()
  const resetsAtSending = new Map<number, number>()
  let resets = 0
  let { concurrency = Infinity } = options

  /** Looks at what goes out. */
  const supervised: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const { origin, hash } = new URL(url)
    if (hash !== '') return server.fetch(input, init)
    const count = (held.get(origin) ?? 0) + 1
    held.set(origin, count)
    const isClosed = clock.now() < (closedUntil.get(origin) ?? 0)
    if (paused.has(origin) || isClosed || count > concurrency) unruly.push(`${url} at ${clock.now()}`)
    let isHeld = true
    const release = (): void => {
      if (isHeld) held.set(origin, held.get(origin)! - 1)
      isHeld = false
    }
    // What is aborted is over, though the fetch says so a few continuations later.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    signal?.addEventListener('abort', release)
    try {
      return await server.fetch(input, init)
    } finally {
      release()
    }
  }

  function onEvent(event: FetchEvent): void {
    events.push(event)
    if (event.type === 'dispatch') resetsAtSending.set(event.call, resets)
    if (event.type !== 'response' || (event.status !== 429 && event.status !== 503)) return
    // What was sent before a reset is forgotten with the rest.
    if (resetsAtSending.get(event.call) !== resets) return
    const until = clock.now() + (event.retryAfterMs ?? 0)
    closedUntil.set(event.key, Math.max(until, closedUntil.get(event.key) ?? 0))
  }

  const f = createRateLimitedFetch({
    fetch: supervised,
    clock,
    onEvent,
    ...options,
  })
  const outcomes: Outcome[] = []
  const controllers: AbortController[] = []
  const signals: AbortSignal[] = []
  const run = { clock, server, f, events, outcomes, signals, unruly, numbers, past }

  function take(step: Exclude<Step, { do: 'advance' }>): void {
    switch (step.do) {
      case 'call': {
        const controller = new AbortController()
        controllers.push(controller)
        signals.push(controller.signal)
        const { kind, method, origin } = step
        const body = method === 'GET' ? null : 'body'
        if (kind === 'aborted') controller.abort()
        const isPast = kind === 'bypass' || kind === 'keepalive'
        const url = `${origin}/${outcomes.length + 1}${isPast ? '#past' : ''}`
        const init = { method, body, signal: controller.signal, ...initOf[kind] }
        const before = events.length
        outcomes.push(watch(f(url, init), clock))
        const number = events.slice(before).flatMap((event) => ('call' in event ? [event.call] : []))[0]
        numbers.push(number)
        if (isPast && number !== undefined) past.add(number)
        break
      }
      case 'abort':
        controllers.filter((_, index) => outcomes[index]!.state === 'pending')[step.which]?.abort()
        break
      case 'configure':
        concurrency = step.concurrency
        f.configure({ concurrency, maxQueue: step.maxQueue })
        break
      case 'dispose':
        f.dispose()
        break
      default:
        if (step.do === 'reset') resets++
        for (const origin of step.origin === undefined ? [A, B] : [step.origin])
          if (step.do === 'pause') paused.add(origin)
          else (step.do === 'resume' ? paused : closedUntil).delete(origin)
        f[step.do](step.origin)
    }
  }

  // A bucket that is not there cannot be resumed while all are paused.
  f.pause(A)
  f.resume(A)
  for (const step of steps) {
    if (step.do !== 'advance') take(step)
    else if (step.isSettled) await clock.advanceAsync(step.ms)
    else {
      clock.advance(step.ms)
      continue
    }
    await clock.advanceAsync(0)
    check(run)
  }
  take({ do: 'resume', origin: undefined })
  await clock.advanceAsync(10_000_000)
  check(run)
  expect(outcomes.filter(({ state }) => state === 'pending')).toEqual([])
  expect(clock.pending).toBe(0)
  return run
}
