import { describe, expect, it } from 'vitest'
import { aimd, type AimdOptions } from '../../../src/core/adaptive/rate-strategies.ts'

/** The rates after calls that have ended: `+` well, `-` not, `.` after another second without one. */
function rates(options: Partial<AimdOptions>, from: number, calls: string): number[] {
  const next = aimd({ increase: 10, decrease: 0.5, ...options })
  const after: number[] = []
  let rate = from
  let now = 0
  for (const call of calls) {
    if (call === '.') now += 1000
    else after.push((rate = next(rate, call === '+', now)))
  }
  return after
}

describe('aimd', () => {
  it('adds increase / rate for a success: the increase for as many as the rate says', () => {
    expect(rates({}, 100, '+')).toEqual([100.1])
    // So many pass in a second in which the rate rises from 100 to 110.
    expect(rates({}, 100, '+'.repeat(105)).at(-1)).toBeCloseTo(110, 1)
  })

  it('adds no more than the increase for one success, however low the rate', () => {
    expect(rates({}, 0.1, '++')).toEqual([10.1, 10.1 + 10 / 10.1])
  })

  it('multiplies by decrease for a failure', () => {
    expect(rates({}, 100, '-')).toEqual([50])
    expect(aimd({ increase: 1 })(100, false, 0)).toBe(70)
  })

  it('stays for holdMs after a decrease, whatever ends then', () => {
    expect(rates({}, 100, '----++-')).toEqual([50, 50, 50, 50, 50, 50, 50])
    expect(rates({}, 100, '-.-')).toEqual([50, 25])
    expect(rates({}, 100, '-.+')).toEqual([50, 50.2])
    expect(rates({ holdMs: 2500 }, 100, '-.-.-.-')).toEqual([50, 50, 50, 25])
    expect(rates({ holdMs: 0 }, 100, '---')).toEqual([50, 25, 12.5])
  })

  it('decreases after minFailures in a row alone', () => {
    expect(rates({ minFailures: 3, minSuccesses: Infinity }, 100, '--+--+---')).toEqual([
      100, 100, 100, 100, 100, 100, 100, 100, 50,
    ])
    // Those while it is held do not count.
    expect(rates({ minFailures: 2 }, 100, '---.--')).toEqual([100, 50, 50, 50, 25])
  })

  it('increases from the last of minSuccesses in a row on', () => {
    expect(rates({ minSuccesses: 3, minFailures: 2 }, 100, '++-++++')).toEqual([
      100,
      100,
      100,
      100,
      100,
      100.1,
      100.1 + 10 / 100.1,
    ])
  })

  it.each([
    [{ increase: 0 }, 'Expected increase > 0, got 0'],
    [{ increase: NaN }, 'Expected increase > 0, got NaN'],
    [{ decrease: 0 }, 'Expected decrease > 0, got 0'],
    [{ decrease: 1.1 }, 'Expected decrease <= 1, got 1.1'],
    [{ holdMs: -1 }, 'Expected holdMs >= 0, got -1'],
    [{ minFailures: 0 }, 'Expected minFailures >= 1, got 0'],
    [{ minSuccesses: 0.5 }, 'Expected minSuccesses >= 1, got 0.5'],
  ])('throws for %o', (options, message) => {
    expect(() => aimd({ increase: 1, ...options })).toThrow(new RangeError(message))
  })
})
