import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLruMap } from '../../../demo/server/lru-map.ts'
import { createGate } from '../../../demo/server/create-gate.ts'
import { defaultSettings } from '../../../demo/server/settings.ts'

function bucketAt(start: number, options: { ratePerSecond: number; burst: number; maxKeys?: number }) {
  const time = { now: start }
  const { maxKeys = 1000, ...limits } = options
  const gate = createGate({ settings: { ...defaultSettings, ...limits }, maxKeys, now: () => time.now })
  return { time, take: (key: string) => gate.take(key) }
}

it('a bucket lets a burst through, then what it is refilled with', () => {
  const { time, take } = bucketAt(0, { ratePerSecond: 2, burst: 3 })
  const steps: [at: number, allowed: boolean, retryAfterMs: number, remaining: number][] = [
    [0, true, 0, 2],
    [0, true, 0, 1],
    [0, true, 0, 0],
    [0, false, 500, 0],
    [499, false, 1, 0],
    [500, true, 0, 0],
    [750, false, 250, 0],
    [1250, true, 0, 0],
    [60_000, true, 0, 2],
  ]
  for (const [at, allowed, retryAfterMs, remaining] of steps) {
    time.now = at
    expect({ at, ...take('a') }).toEqual({ at, allowed, retryAfterMs, remaining })
  }
})

it('each key has a bucket of its own', () => {
  const { take } = bucketAt(0, { ratePerSecond: 1, burst: 1 })
  expect(take('a').allowed).toBe(true)
  expect(take('a').allowed).toBe(false)
  expect(take('b').allowed).toBe(true)
})

it('a clock that is set back earns nothing, and the refill goes on from there', () => {
  const { time, take } = bucketAt(10_000, { ratePerSecond: 1, burst: 1 })
  take('a')
  time.now = 0
  expect(take('a')).toEqual({ allowed: false, retryAfterMs: 1000, remaining: 0 })
  time.now = 1000
  expect(take('a').allowed).toBe(true)
})

it('the least recent key is forgotten, and has a full bucket again', () => {
  const { take } = bucketAt(0, { ratePerSecond: 1, burst: 2, maxKeys: 2 })
  take('a')
  take('b')
  expect(take('a').remaining).toBe(0)
  take('c')
  expect(take('a').allowed).toBe(false)
  expect(take('b').remaining).toBe(1)
})

it('waiting retryAfterMs is enough, a millisecond less is not, and no more than burst + rate × time get through', () => {
  const ratePerSecond = fc.double({ min: 0.01, max: 1000, noNaN: true })
  const waits = fc.array(fc.nat(3000), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(ratePerSecond, fc.integer({ min: 1, max: 20 }), waits, (ratePerSecond, burst, waits) => {
      const { time, take } = bucketAt(0, { ratePerSecond, burst })
      let taken = 0
      for (const wait of waits) {
        time.now += wait
        const { allowed, retryAfterMs } = take('a')
        if (!allowed) {
          time.now += retryAfterMs - 1
          expect(take('a').allowed).toBe(false)
          time.now += 1
          expect(take('a').allowed).toBe(true)
        }
        taken++
        // A limit lets an event go that is a millionth of a millisecond early.
        expect(taken).toBeLessThanOrEqual(
          burst + (time.now * ratePerSecond) / 1000 + (1e-6 * ratePerSecond) / 1000 + 1e-9,
        )
      }
    }),
  )
})

it('a map of bounded size forgets the key that was not read or written for the longest', () => {
  const map = createLruMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.get('a')
  map.set('c', 3)
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3])
  map.set('a', 4)
  map.set('d', 5)
  expect(['a', 'c', 'd'].map((key) => map.get(key))).toEqual([4, undefined, 5])
})
