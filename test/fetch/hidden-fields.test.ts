import { expect, it, onTestFinished, vi } from 'vitest'
import { warnOfHiddenFields } from '../../src/fetch/hidden-fields.ts'

// When it is called is what a browser decides: cors.browser.test.ts.

function warningsIn(stub: () => void): unknown[][] {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
    warn.mockRestore()
  })
  stub()
  warnOfHiddenFields('https://api.example')
  vi.unstubAllGlobals()
  return warn.mock.calls
}

it('R20 whoever develops is told which fields to expose, and by whom', () => {
  expect(warningsIn(() => vi.stubEnv('NODE_ENV', 'development'))).toEqual([
    [
      'https://api.example refused a request and did not say for how long, or this page may not read it. ' +
        'Its answers need Access-Control-Expose-Headers: Retry-After, RateLimit, RateLimit-Policy, Date',
    ],
  ])
})

it('R20 in production nobody is told', () => {
  expect(warningsIn(() => vi.stubEnv('NODE_ENV', 'production'))).toEqual([])
})

it('R20 nobody is told where nothing says whether this is production', () => {
  expect(warningsIn(() => vi.stubGlobal('process', undefined))).toEqual([])
})
