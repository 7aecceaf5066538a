import {
  createRateLimitedFetch,
  type FetchEvent,
  type RateLimitedFetch,
  type RateLimitedFetchOptions,
} from 'lull/fetch'
import { createManualClock, type ManualClock } from 'lull/testing'
import { expect, onTestFinished } from 'vitest'
import { createFakeServer, type Answer, type FakeServer, type Received } from './fake-server.ts'

export const A = 'https://a.test'
export const B = 'https://b.test'

export interface Started {
  clock: ManualClock
  server: FakeServer
  f: RateLimitedFetch
  events: FetchEvent[]
}

/**
 * A paced fetch in front of a fake server, both on a manual clock that must have nothing pending when the test ends.
 * The random number is 0: own backoffs are then 0 for failures, and 500, 1000, 2000 … for throttles.
 */
export function start(
  options: RateLimitedFetchOptions = {},
  answers: readonly Answer[] | ((received: Received, index: number) => Answer) = [],
): Started {
  const clock = createManualClock()
  const server = createFakeServer(clock, answers)
  const events: FetchEvent[] = []
  const f = createRateLimitedFetch({
    fetch: server.fetch,
    clock,
    random: () => 0,
    onEvent: (event) => events.push(event),
    ...options,
  })
  onTestFinished(() => expect(clock.pending).toBe(0))
  return { clock, server, f, events }
}

/** What has become of a call so far. */
export interface Outcome {
  state: 'pending' | 'resolved' | 'rejected'
  response?: Response
  error?: unknown
  /** When it was settled. */
  at?: number
}

/** Watches what becomes of a call. One continuation after it is settled, this says so. */
export function watch(call: Promise<Response>, clock: ManualClock): Outcome {
  const outcome: Outcome = { state: 'pending' }
  call.then(
    (response) => Object.assign(outcome, { state: 'resolved', response, at: clock.now() }),
    (error: unknown) => Object.assign(outcome, { state: 'rejected', error, at: clock.now() }),
  )
  return outcome
}

/** One continuation later. */
export const tick = (): Promise<void> => Promise.resolve()

/** Makes a call to each path of `A`, and watches them. */
export function callAll(
  { f, clock }: Pick<Started, 'f' | 'clock'>,
  paths: readonly string[],
  init?: RequestInit,
): Outcome[] {
  return paths.map((path) => watch(f(A + path, init), clock))
}

/** `/1`, `/2` … */
export function paths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `/${index + 1}`)
}

export const statesOf = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ state }) => state)
export const statusesOf = (outcomes: readonly Outcome[]): (number | undefined)[] =>
  outcomes.map(({ response }) => response?.status)
