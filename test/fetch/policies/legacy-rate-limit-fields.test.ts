import { describe, expect, it } from 'vitest'
import { legacyRateLimitFields } from '../../../src/fetch/policies/legacy-rate-limit-fields.ts'
import { playLimits, type LimitsPlay } from '../fixtures/play-limits.ts'

const after = (
  headers: Record<string, string>,
  status = 200,
  options?: Parameters<typeof legacyRateLimitFields>[0],
): LimitsPlay => {
  const played = playLimits(legacyRateLimitFields(options))
  played.answer({ headers, status })
  return played
}

const families = ['RateLimit-', 'X-RateLimit-', 'X-Rate-Limit-']

describe('the older fields', () => {
  it.each(families)('%s say what is left until the reset', (prefix) => {
    const played = after({ [`${prefix}Remaining`]: '2', [`${prefix}Reset`]: '5', [`${prefix}Limit`]: '100' })
    expect(played.schedule(4)).toEqual([0, 0, 5000, 5000])
    expect(played.snapshot()).toMatchObject({ policies: [{ name: 'default', quota: 100 }] })
  })

  it('count nothing without a reset', () => {
    const played = after({ 'X-RateLimit-Remaining': '0' })
    expect([played.schedule(1), played.closings, played.snapshot()]).toEqual([[0], [], {}])
  })

  it('count nothing beside a RateLimit that names a time', () => {
    const older = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '5' }
    expect(after({ ...older, RateLimit: '"a";r=9;t=60' }).closings).toEqual([])
    expect(after({ ...older, RateLimit: '"a";r=9' }).closings).toEqual([[5000, 'x-ratelimit']])
  })

  it.each([
    ['RateLimit', 'limit=9, remaining=0, reset=5', 'ratelimit-legacy', 5000],
    ['X-RateLimit-Retry-After', '7', 'x-ratelimit', 7000],
    ['X-RateLimit-Retry-After', '7.5', 'x-ratelimit', 7500],
    ['X-RateLimit-Reset-After', '1.2345', 'x-ratelimit', 1235],
  ])('%s: %s asks for a wait', (name, value, source, waitMs) => {
    const played = playLimits(legacyRateLimitFields())
    expect(played.answer({ headers: { [name]: value }, status: 429 })).toMatchObject({ source, waitMs })
  })

  it('read a date in X-RateLimit-Retry-After, by the clock of the server', () => {
    const played = playLimits(legacyRateLimitFields())
    const headers = {
      date: 'Sat, 22 Aug 2026 12:00:00 GMT',
      'x-ratelimit-reset': '9',
      'x-ratelimit-retry-after': 'Sat, 22 Aug 2026 12:00:50 GMT',
    }
    expect(played.answer({ headers, status: 429 })?.waitMs).toBe(50_000)
  })
})

describe('none left before a refusal', () => {
  const none = (seconds: number): Record<string, string> => ({
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(seconds),
  })

  it('closes the gate for maxPreemptiveMs at most', () => {
    expect(after(none(60)).closings).toEqual([[60_000, 'x-ratelimit']])
    expect(after(none(61)).closings).toEqual([])
    expect(after(none(61), 200, { maxPreemptiveMs: 61_000 }).closings).toEqual([[61_000, 'x-ratelimit']])
    expect(after(none(1), 200, { maxPreemptiveMs: 0 }).closings).toEqual([])
  })

  it('bounds neither the wait of a refusal nor what is left', () => {
    const played = playLimits(legacyRateLimitFields())
    expect(played.answer({ headers: none(90), status: 429 })).toMatchObject({ waitMs: 90_000 })
    expect(played.closings).toEqual([])
    expect(after({ ...none(90), 'x-ratelimit-remaining': '1' }).schedule(2)).toEqual([0, 90_000])
  })

  it('closes nothing if the response does not say what is left', () => {
    expect(after({ 'x-ratelimit-reset': '5' }).closings).toEqual([])
  })
})

it('a maxPreemptiveMs below 0 throws', () => {
  expect(() => legacyRateLimitFields({ maxPreemptiveMs: -1 })).toThrow(RangeError)
})
