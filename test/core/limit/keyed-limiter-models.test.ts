import fc from 'fast-check'
import { createKeyedLimiter, createLimiter, gcra, type Decision, type Limiter } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { describe, expect, it } from 'vitest'
import { costs, everyRule, gaps } from './every-rule.ts'
import { tries } from '../../laws/tries.ts'

const clock = createManualClock()

const keys = fc.constantFrom('a', 'b', 'c', 'd')
const verbs = fc.constantFrom('allow' as const, 'decide' as const, 'peek' as const)
const script = fc.array(fc.record({ gap: gaps, key: keys, cost: costs, verb: verbs }), {
  maxLength: 100,
  size: 'max',
})

describe.each(everyRule)('%s', (_, make) => {
  it('decides for each key as a limiter of its own does, however often it was forgotten', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 4), script, (burst, script) => {
        const keyed = createKeyedLimiter(make(8, burst), { clock })
        const limiters = new Map<string, Limiter>()
        const answers: (boolean | Decision)[] = []
        const expected: (boolean | Decision)[] = []
        let at = 0
        for (const { gap, key, cost, verb } of script) {
          at += gap * 125
          const limiter = limiters.get(key) ?? createLimiter(make(8, burst), { clock })
          limiters.set(key, limiter)
          answers.push(keyed[verb](key, cost, at))
          expected.push(limiter[verb](cost, at))
        }
        expect(answers).toEqual(expected)
        expect(keyed.size).toBeLessThanOrEqual(limiters.size)
      }),
      tries(50),
    )
  })

  it('remembers the keys used last, and decides for the others as if they were new', () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 3), script, (maxKeys, script) => {
        const keyed = createKeyedLimiter(make(1e-6, 2), { maxKeys, clock })
        const limiters = new Map<string, Limiter>()
        for (const { key, cost, verb } of script) {
          const known = limiters.get(key)
          const limiter = known ?? createLimiter(make(1e-6, 2), { clock })
          expect(keyed[verb](key, cost)).toEqual(limiter[verb](cost))
          if (verb === 'peek') continue
          limiters.delete(key)
          limiters.set(key, limiter)
          // A key that took nothing may be forgotten before its turn: nobody can tell.
          if (limiters.size > maxKeys) limiters.delete([...limiters.keys()][0]!)
          expect(keyed.size).toBeLessThanOrEqual(maxKeys)
        }
      }),
      tries(30),
    )
  })

  it('gives nothing and freezes nothing when the clock is set back', () => {
    const keyed = createKeyedLimiter(make(10, 2), { clock })
    keyed.allow('a', 2, 10_000)
    expect(keyed.peek('a', 1, 5000)).toMatchObject({ allowed: false, remaining: 0 })
    const { allowed, retryAfterMs } = keyed.decide('a', 1, 5000)
    expect(allowed).toBe(false)
    expect(retryAfterMs).toBeLessThanOrEqual(200.001)
    expect(keyed.allow('a', 1, 5000 + retryAfterMs)).toBe(true)
  })
})

describe('idleMs', () => {
  const daily = gcra({ ratePerSecond: 1 / 86_400, burst: 2 })

  it('forgets a key not used for that long, whatever it took', () => {
    const keyed = createKeyedLimiter(daily, { idleMs: 1000, clock })
    keyed.allow('a', 2, 0)
    keyed.allow('b', 2, 500)
    expect([keyed.peek('a', 1, 999).allowed, keyed.peek('a', 1, 1000).allowed]).toEqual([false, true])
    expect(keyed.allow('a', 2, 1000)).toBe(true)
    // A refusal is a use.
    expect(keyed.allow('b', 1, 1499)).toBe(false)
    expect(keyed.decide('b', 1, 2498)).toMatchObject({ allowed: false })
    expect(keyed.decide('b', 2, 3498)).toMatchObject({ allowed: true })
  })

  it('decides as it peeked, however many keys are idle', () => {
    const keyed = createKeyedLimiter(daily, { idleMs: 1000, clock })
    const keys = Array.from({ length: 20 }, (_, i) => String(i))
    for (const key of keys) keyed.allow(key, 2, 0)
    for (const key of keys.toReversed()) {
      const peek = keyed.peek(key, 2, 1000)
      expect(peek.allowed).toBe(true)
      expect(keyed.decide(key, 2, 1000).allowed).toBe(true)
    }
  })

  it('lets its size come down, also after the clock was set back', () => {
    const keyed = createKeyedLimiter(daily, { idleMs: 1000, clock })
    for (let i = 0; i < 100; i++) keyed.allow(String(i), 2, 1e6)
    // Nobody knows how long they have not been used: they are kept.
    for (let i = 0; i < 200; i++) keyed.allow('one', 1, i)
    expect(keyed.size).toBe(101)
    for (let i = 0; i < 200; i++) keyed.allow('one', 1, 1_001_000 + i)
    expect(keyed.size).toBe(1)
  })
})
