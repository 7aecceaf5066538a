import { RateLimitError, type RateLimitErrorCode } from 'lull/core'
import { expect, it, onTestFinished, vi } from 'vitest'
import { checkArray, checkFunction, checkOneOf } from '../../../src/core/shared/check.ts'
import { report } from '../../../src/core/shared/report.ts'

const codes: RateLimitErrorCode[] = ['wait-too-long', 'queue-full', 'throttled']

it.each(codes)('has the code %s, the message and the delay', (code) => {
  const error = new RateLimitError(code, 'Would wait', 1500)
  expect(error).toBeInstanceOf(Error)
  expect(error).toBeInstanceOf(RateLimitError)
  expect(error).toMatchObject({ name: 'RateLimitError', code, message: 'Would wait', retryAfterMs: 1500 })
  expect(String(error)).toBe('RateLimitError: Would wait')
  expect(error.stack).toContain('errors.test.ts')
})

it('a check names the expected and the actual value', () => {
  expect(() => checkFunction('task', () => undefined)).not.toThrow()
  expect(() => checkFunction('task', 5)).toThrow(new TypeError('Expected a function task, got 5'))
  expect(() => checkArray('keys', [])).not.toThrow()
  const noArray = new TypeError('Expected an array keys, got [object Object]')
  expect(() => checkArray('keys', { length: 0 })).toThrow(noArray)
  for (const mode of ['a', 'b']) expect(() => checkOneOf(['a', 'b'], 'mode', mode)).not.toThrow()
  const error = new RangeError('Expected mode to be a or b, got c')
  expect(() => checkOneOf(['a', 'b'], 'mode', 'c')).toThrow(error)
})

it.each([true, false])(
  'an error without a caller is reported as on the platform, with reportError: %s',
  (has) => {
    const reportError = vi.fn()
    const log = vi.spyOn(console, 'error').mockReturnValue()
    vi.stubGlobal('reportError', has ? reportError : undefined)
    onTestFinished(() => {
      vi.unstubAllGlobals()
      log.mockRestore()
    })
    const error = new Error('of nobody')
    report(error)
    expect([reportError.mock.calls, log.mock.calls]).toEqual(has ? [[[error]], []] : [[], [[error]]])
  },
)
