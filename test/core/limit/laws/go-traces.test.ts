// Results of Go's x/time/rate for 150 random scripts: times in ms, `n` the cost, `tokens` the level after
// each step.
import { readFileSync } from 'node:fs'
import { createWaitingLimiter, type Reservation } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'
import { bucketRules } from '../rules/every-rule.ts'

interface Step {
  at: number
  op: 'allow' | 'reserve' | 'cancel' | 'setRate' | 'setBurst' | 'tokens'
  id: number
  ok: boolean
  tokens: number
  /** Absent for 0. */
  n?: number
  rate?: number
  delayMs?: number
}

interface Trace {
  rate: number
  burst: number
  ops: Step[]
}

const file = new URL('../../../fixtures/x-time-rate-traces.json', import.meta.url)
const traces = JSON.parse(readFileSync(file, 'utf8')) as Trace[]

it('has the traces', () => {
  expect(traces).toHaveLength(150)
  expect(traces.flatMap(({ ops }) => ops)).toHaveLength(9000)
})

it.each(bucketRules)('%s decides, reserves and refunds as Go does, in all scripts', (name, make) => {
  for (const [script, { rate, burst, ops }] of traces.entries()) {
    const clock = createManualClock()
    const limiter = createWaitingLimiter(make(rate, burst), { clock })
    const reservations = new Map<number, Reservation>()
    for (const [index, { at, op, id, ok, tokens, n = 0, delayMs = 0, ...step }] of ops.entries()) {
      const label = `script ${script}, step ${index}: ${op} at ${at}`
      if (op === 'allow') expect(limiter.allow(n, at), label).toBe(ok)
      else if (op === 'reserve') {
        const reservation = limiter.reserve(n, at)
        expect(reservation.ok, label).toBe(ok)
        if (ok) expect(reservation.delay(at), label).toBeCloseTo(delayMs, 5)
        reservations.set(id, reservation)
      } else if (op === 'cancel') reservations.get(id)!.cancel(at)
      else if (op === 'setRate') limiter.configure({ ratePerSecond: step.rate }, at)
      else if (op === 'setBurst')
        limiter.configure(name === 'leakyBucket' ? { capacity: n } : { burst: n }, at)
      expect(limiter.remaining(at), label).toBeCloseTo(tokens, 5)
    }
    expect(clock.pending).toBe(0)
  }
})
