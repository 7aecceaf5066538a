import fc from 'fast-check'
import { debounce, debounceKeyed, type DebounceKeyedOptions } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { orNot, scriptsOf } from '../../laws/steps.ts'
import { forAll } from '../../laws/tries.ts'
import { edges, maxWaits, waits } from '../shared/scripts.ts'
import { createTestClock } from '../time/clocks.ts'

type Options = Partial<DebounceKeyedOptions<[key: string, n?: number], string>>

/** A keyed debounce that records its runs as `instant: key n`. */
function setUp(wait: number, options: Options = {}, inside?: (key: string) => void) {
  const clock = createTestClock()
  const runs: string[] = []
  const run = (key: string, n?: number) => {
    runs.push(`${clock.now()}: ${key} ${n}`)
    inside?.(key)
  }
  return { clock, runs, keyed: debounceKeyed(run, wait, { clock, key: (key) => key, ...options }) }
}

it('has one timer per known key', () => {
  const { clock, keyed } = setUp(100, { leading: true })
  for (let n = 0; n < 110; n++) keyed(`id ${n % 100}`)
  expect(clock.pending).toBe(100)
  clock.advance(100)
  expect(clock.pending).toBe(0)
})

it('ignores a call whose key aborts the signal', () => {
  const abort = new AbortController()
  const key = (key: string) => {
    abort.abort()
    return key
  }
  const { clock, keyed } = setUp(100, { key, signal: abort.signal })
  keyed('a')
  expect([keyed.isPending(), clock.pending]).toEqual([false, 0])
})

it('throws an AggregateError from flush if several runs threw', () => {
  const { keyed, clock } = setUp(100, {}, (key) => {
    if (key !== 'good') throw new Error(key)
  })
  for (const key of ['a', 'good', 'b']) keyed(key)
  const errors = [new Error('a'), new Error('b')]
  expect(keyed.flush).toThrow(new AggregateError(errors, 'Several runs threw'))
  clock.advance(100)
})

it('gives no run the this of an earlier call', () => {
  const clock = createTestClock()
  const selves: unknown[] = []
  function note(this: unknown, key: string): void {
    selves.push(this ?? `none of ${key}`)
  }
  const keyed = debounceKeyed(note, 100, { clock, key: (key) => key, maxWait: 100 })
  keyed('a')
  clock.advance(70)
  keyed('a')
  clock.advance(70)
  keyed.call('this', 'a')
  clock.advance(60)
  keyed('a')
  expect(selves).toEqual(['none of a', 'none of a'])
  keyed.cancel()
})

it.each<[does: string, maxKeys: number, wait: number, calls: string, runs: string[]]>([
  [
    'forgets the key with the oldest last call, and runs that call in the next task',
    2,
    100,
    '0 a, 10 b, 20 a, 30 c',
    ['30: b 1', '120: a 2', '130: c 3'],
  ],
  [
    'does not forget a later call with its key',
    1,
    100,
    '0 a, 0 b, 0 a, 50 a',
    ['0: a 0', '0: b 1', '150: a 3'],
  ],
  ['runs the call of a forgotten key with an infinite wait, too', 2, Infinity, '0 a, 0 b, 0 c', ['0: a 0']],
])('with maxKeys %s', (_, maxKeys, wait, calls, expected) => {
  const { clock, keyed, runs } = setUp(wait, { maxKeys })
  const keys = new Set<string>()
  for (const [n, call] of calls.split(', ').entries()) {
    const [at, key] = call.split(' ') as [string, string]
    // Advancing by 0 would end the task.
    if (Number(at) > clock.now()) clock.advance(Number(at) - clock.now())
    const before = [...runs]
    keyed(key, n)
    expect(runs).toEqual(before)
    expect(keyed.size).toBe(Math.min(keys.add(key).size, maxKeys))
  }
  clock.advance(1000)
  expect(runs).toEqual(expected)
  keyed.flush()
  expect([keyed.isPending(), clock.pending]).toEqual([false, 0])
})

// A test may run many scripts, see `forAll`.
vi.setConfig({ testTimeout: 300_000 })

const KEYS = ['a', 'b', 'c']
const key = fc.constantFrom(...KEYS)
const scripts = scriptsOf(40, {
  call: [8, { key }],
  advance: [7, { ms: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 250 })) }],
  'flush cancel': [2, { key: orNot(key) }],
})

type Run = [at: number, n: number, key: string]

it('runs and is pending like a debounce for each key that is kept forever, and keeps the keys in use alone', () => {
  forAll(20_000, scripts, waits, maxWaits, edges, (script, wait, maxWait, edges) => {
    const clock = createManualClock(1000)
    const options = { ...edges, maxWait, clock }
    const isSpaced = edges.leading && maxWait !== undefined
    const [ours, right]: [Run[], Run[]] = [[], []]
    const runInto = (runs: Run[]) => (key: string, n: number) => {
      runs.push([clock.now(), n, key])
      return `result of ${n}`
    }
    const keyed = debounceKeyed(runInto(ours), wait, { ...options, key: (key) => key })
    const model = new Map(KEYS.map((key) => [key, debounce(runInto(right), wait, options)]))
    const calledAt = new Map<string, number>()

    function isInUse(key: string): boolean {
      const at = calledAt.get(key)
      if (at === undefined) return false
      const ranAt = isSpaced ? (ours.findLast((run) => run[2] === key)?.[0] ?? at) : at
      return keyed.isPending(key) || clock.now() < Math.max(at, ranAt) + wait
    }

    for (const [n, step] of script.entries()) {
      if (step.do === 'call') {
        calledAt.set(step.key, clock.now())
        const result = keyed(step.key, n)
        const known = model.get(step.key)!(step.key, n)
        // A forgotten key loses its last result.
        if (result !== undefined) expect(result).toBe(known)
      } else if (step.do === 'advance') {
        clock.advance(step.ms)
        // Only an advance ends the task.
        expect(keyed.size).toBe(KEYS.filter(isInUse).length)
      } else {
        keyed[step.do](step.key)
        for (const key of step.key === undefined ? KEYS : [step.key]) {
          const held = model.get(key)!
          if (step.do === 'cancel') {
            held.cancel()
            calledAt.delete(key)
            // A flush of all keys concerns the pending ones.
          } else if (step.key !== undefined || held.isPending()) held.flush()
        }
      }
      const pending = KEYS.filter((key) => model.get(key)!.isPending())
      expect(KEYS.filter((key) => keyed.isPending(key))).toEqual(pending)
      expect(keyed.isPending()).toBe(pending.length > 0)
    }
    clock.advance(10_000)
    expect(clock.pending).toBe(0)
    const byInstant = (runs: Run[]) => runs.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
    expect(byInstant(ours)).toEqual(byInstant(right))
  })
})
