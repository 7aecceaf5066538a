import fc from 'fast-check'
import type { FetchEvent } from 'lull/fetch'
import { describe, expect, it } from 'vitest'
import { play } from './play.ts'
import { abort, advance, callOf, size, throttles } from './steps.ts'
import { tries } from '../../laws/tries.ts'

describe('the gate, whatever happens', () => {
  it(
    'nothing is sent before the end of a Retry-After, nor beside a probe; the order is that of arrival',
    { timeout: 60_000 },
    async () => {
      const steps = fc.array(
        fc.oneof(
          { weight: 8, arbitrary: callOf('plain') },
          { weight: 6, arbitrary: advance(true) },
          { weight: 1, arbitrary: abort },
        ),
        size,
      )
      const options = fc.record({
        concurrency: fc.constantFrom(1, 2, 5, Infinity),
        pace: fc.constantFrom('learn', 'fixed'),
      })
      let plays = 0
      let sent = 0
      let gates = 0
      await fc.assert(
        fc.asyncProperty(steps, throttles, options, async (script, moods, { concurrency, pace }) => {
          const { server, events } = await play(
            script,
            moods,
            { concurrency, pace, random: () => 0.5 },
            () => undefined,
          )
          expect(server.early).toEqual([])
          expect(Math.max(0, ...server.requests.map(({ together }) => together))).toBeLessThanOrEqual(
            concurrency,
          )
          expect(overtaken(events)).toEqual([])
          // After a stray refusal, no sign of a limit, learnPace sends as many as before in place of a probe.
          if (pace === 'fixed') expect(besideProbe(events)).toEqual([])
          plays++
          sent += server.requests.length
          gates += events.filter(({ type }) => type === 'gate-closed').length
        }),
        tries(200),
      )
      // The property is not empty.
      expect(sent / plays).toBeGreaterThan(10)
      expect(gates / plays).toBeGreaterThan(2.5)
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
