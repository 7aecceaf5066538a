import type { FetchEvent } from 'lull/fetch'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { networkError, tooMany } from '../fixtures/fake-server.ts'
import { A, callAll, paths, start, statesOf, watch } from '../fixtures/start.ts'
import { startWith } from '../fixtures/start-with.ts'

// Where the errors are reported that concern no call. Node has none.
beforeEach(() => void vi.stubGlobal('reportError', vi.fn()))
afterEach(() => void vi.unstubAllGlobals())

describe('R151 calls, from a listener of events', () => {
  it.each(['gate-opened', 'gate-closed', 'throttled', 'retry', 'response', 'gate-probe'] as const)(
    'R151 of %s: each is told once, and the call is made in its turn',
    async (type) => {
      const more: ReturnType<typeof watch>[] = []
      const { f, server, clock, events } = startWith(
        type,
        (f) => {
          for (const path of paths(3)) more.push(watch(f(A + path), clock))
        },
        [tooMany(1)],
      )
      const call = watch(f(`${A}/0`), clock)
      await clock.advanceAsync(60_000)
      expect([call, ...more].map(({ response }) => response?.status)).toEqual([200, 200, 200, 200])
      expect(events.filter((event) => event.type === 'gate-opened')).toHaveLength(1)
      expect(events.filter((event) => event.type === 'gate-closed')).toHaveLength(1)
      expect(server.early).toEqual([])
    },
  )

  it('R151 of gate-opened, each time that it is heard: no call begets another', async () => {
    const { f, clock, events } = start(
      { onEvent: (event) => (events_.push(event), event.type === 'gate-opened' && void f(`${A}/more`)) },
      [tooMany(1)],
    )
    const call = watch(f(`${A}/0`), clock)
    await clock.advanceAsync(60_000)
    expect(call.response?.status).toBe(200)
    expect(events_.filter(({ type }) => type === 'gate-opened')).toHaveLength(1)
    expect(events).toEqual([])
  })
  const events_: FetchEvent[] = []

  it('R151 configure, pause and reset in a listener of every event: no call is lost', async () => {
    let count = 0
    const started = start(
      {
        onEvent() {
          const step = count++ % 5
          if (step === 0) started.f.configure({ concurrency: (count % 3) + 1 })
          if (step === 1) started.f.pause(A)
          if (step === 2) started.f.reset()
          if (step === 3) started.f.resume(A)
          if (step === 4) started.f.configure({ maxQueue: 100, ratePerSecond: 1000 })
        },
      },
      [tooMany(1), 500, networkError()],
    )
    const calls = callAll(started, paths(20))
    for (let second = 0; second < 60; second++) {
      started.f.resume(A)
      await started.clock.advanceAsync(1000)
    }
    expect(statesOf(calls)).not.toContain('pending')
    expect(started.f.snapshot(A)).toMatchObject({ queued: 0, sleeping: 0, inFlight: 0 })
    started.f.resume()
  })
})
