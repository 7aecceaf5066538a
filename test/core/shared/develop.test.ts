import { createKeyedLimiter, createLimiter, createWaitingLimiter, debounce, throttle } from 'lull/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const none = (): void => undefined
const bad = { ratePerSecond: 5 } as never

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const warnings = (): unknown[] => vi.mocked(console.warn).mock.calls.flat()

describe.each([
  ['debounce', debounce],
  ['throttle', throttle],
])('%s, in development', (name, make) => {
  it('says that a wait must be a number of ms, and names the function', () => {
    expect(() => make(none, '300' as never)).toThrow(
      new TypeError(`${name}: wait must be a number of ms, not a string, got 300`),
    )
  })

  it('warns once of an option that is none', () => {
    for (let i = 0; i < 3; i++) make(none, 10, { [`maxwait of ${name}`]: 5 })
    expect(warnings()).toEqual([`lull: debounce and throttle have no option 'maxwait of ${name}'`])
  })
})

it('edges that are both off are warned of once', async () => {
  vi.resetModules()
  const { debounce: fresh } = await import('../../../src/core/debounce/debounce.ts')
  for (let i = 0; i < 3; i++) fresh(none, 10, { trailing: false })
  expect(warnings()).toEqual(['lull: with leading and trailing both false, debounce and throttle never run'])
})

it.each([
  ['createLimiter', () => createLimiter(bad)],
  ['createWaitingLimiter', () => createWaitingLimiter(bad)],
  ['createKeyedLimiter', () => createKeyedLimiter(bad)],
  ['createLimiter without a rule', () => createLimiter(undefined as never)],
])('%s says in development what a rule is', (_, act) => {
  expect(act).toThrow(new TypeError('Expected a rule, such as tokenBucket({ ratePerSecond: 5, burst: 10 })'))
})

it('nothing is said in production', () => {
  vi.stubEnv('NODE_ENV', 'production')
  debounce(none, 10, { ['of production']: 5 } as object)
  expect(warnings()).toEqual([])
  expect(() => createLimiter(bad)).toThrow('is not a function')
  expect(() => debounce(none, '300' as never)).toThrow(new TypeError('Expected a number wait, got 300'))
})
