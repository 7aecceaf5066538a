import { RateLimitError, type RateLimitErrorCode } from 'lull/core'
import { expect, it, onTestFinished, vi } from 'vitest'
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

it.each([true, false])('errors without a caller are reported as on the platform, reportError: %s', (has) => {
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
})
