import {
  createKeyedLimiter,
  createLimiter,
  createWaitingLimiter,
  debounce,
  debounceAsync,
  debounceKeyed,
  throttle,
} from 'lull/core'
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
  ['debounceAsync', debounceAsync],
  ['debounceKeyed', (fn, wait, options) => debounceKeyed(fn, wait, { key: none, ...options })],
] as [string, (fn: () => void, wait: number, options?: object) => unknown][])(
  '%s, in development',
  (name, make) => {
    it('says that a wait must be a number of ms, and who says so', () => {
      expect(() => make(none, '300' as never)).toThrow(
        new TypeError(`${name}: wait must be a number of ms, not a string, got 300`),
      )
    })

    it('warns once of an option that is none', () => {
      for (let i = 0; i < 3; i++) make(none, 10, { [`maxwait of ${name}`]: 5 })
      expect(warnings()).toEqual([`lull: ${name} has no option 'maxwait of ${name}'`])
    })

    it('has nothing to say of what is right', () => {
      make(none, 10, { leading: true, trailing: false, signal: undefined, onError: none })
      expect(warnings()).toEqual([])
    })
  },
)

it('edges that are both off are warned of once', async () => {
  vi.resetModules()
  const { debounce: fresh } = await import('../../../src/core/debounce/debounce.ts')
  for (let i = 0; i < 3; i++) fresh(none, 10, { trailing: false })
  expect(warnings()).toEqual(['lull: debounce never runs with leading and trailing both false'])
})

it.each([
  ['createLimiter', () => createLimiter(bad)],
  ['createWaitingLimiter', () => createWaitingLimiter(bad)],
  ['createKeyedLimiter', () => createKeyedLimiter(bad)],
  ['createLimiter without a rule', () => createLimiter(undefined as never)],
])('%s says in development what a rule is', (_, act) => {
  expect(act).toThrow(new TypeError('Expected a rule, such as tokenBucket({ ratePerSecond: 5, burst: 10 })'))
})

it('nothing is said without a process, as in a browser without a bundler', () => {
  const process = Object.getOwnPropertyDescriptor(globalThis, 'process')!
  Reflect.deleteProperty(globalThis, 'process')
  try {
    debounce(none, 10, { ['of no process']: 5 } as object)
    expect(() => createLimiter(bad)).toThrow('is not a function')
  } finally {
    Object.defineProperty(globalThis, 'process', process)
  }
  expect(warnings()).toEqual([])
})

it('nothing is said in production', () => {
  vi.stubEnv('NODE_ENV', 'production')
  debounce(none, 10, { ['of production']: 5 } as object)
  expect(warnings()).toEqual([])
  expect(() => createLimiter(bad)).toThrow('is not a function')
  expect(() => debounce(none, '300' as never)).toThrow(new TypeError('Expected a number wait, got 300'))
})
