import { RateLimitError, type RateLimitErrorCode } from 'lull/core'
import { expect, it } from 'vitest'

const codes: RateLimitErrorCode[] = ['wait-too-long', 'queue-full', 'throttled']

it.each(codes)('tells the code %s, the message and the delay', (code) => {
  const error = new RateLimitError(code, 'Would wait 1500 ms', 1500)
  expect(error).toBeInstanceOf(Error)
  expect(error).toBeInstanceOf(RateLimitError)
  expect(error).toMatchObject({
    name: 'RateLimitError',
    code,
    message: 'Would wait 1500 ms',
    retryAfterMs: 1500,
  })
  expect(String(error)).toBe('RateLimitError: Would wait 1500 ms')
  expect(error.stack).toContain('errors.test.ts')
})

it('keeps its cause', () => {
  const cause = new Error('429')
  expect(new RateLimitError('throttled', 'Throttled', 1, { cause }).cause).toBe(cause)
  expect('cause' in new RateLimitError('throttled', 'Throttled', 1)).toBe(false)
})
