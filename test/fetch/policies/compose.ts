import { createManualClock } from 'lull/testing'
import { expect, onTestFinished } from 'vitest'
import { composeRateLimitedFetch } from '../../../src/fetch/compose-rate-limited-fetch.ts'
import type { FetchEvent } from '../../../src/fetch/events.ts'
import type { ComposeOptions } from '../../../src/fetch/options.ts'
import type { Policy } from '../../../src/fetch/policy.ts'
import { createFakeServer, type Answer, type FakeServer, type Received } from '../fake-server.ts'
import type { Started } from '../start.ts'

export interface Composed extends Omit<Started, 'f' | 'events'> {
  f: ReturnType<typeof composeRateLimitedFetch>
  events: FetchEvent[]
}

/**
 * As `start`, but the kernel with these policies and nothing else: in front of a fake server, on a manual clock that must
 * have nothing pending when the test ends.
 */
export function compose(
  policies: readonly Policy[],
  options: ComposeOptions = {},
  answers: readonly Answer[] | ((received: Received, index: number) => Answer) = [],
): Composed {
  const clock = createManualClock()
  const server: FakeServer = createFakeServer(clock, answers)
  const events: FetchEvent[] = []
  const f = composeRateLimitedFetch({
    fetch: server.fetch,
    clock,
    random: () => 0,
    onEvent: (event) => events.push(event),
    policies,
    ...options,
  })
  onTestFinished(() => expect(clock.pending).toBe(0))
  return { clock, server, f, events }
}
