import { createRequire } from 'node:module'
import * as hooks from 'lull'
import * as core from 'lull/core'
import { expect, test } from 'vitest'

const require = createRequire(import.meta.url)

test('require and import return the same instance', () => {
  expect(require('lull').ClockProvider).toBe(hooks.ClockProvider)
  expect(require('lull/core').RateLimitError).toBe(core.RateLimitError)
})
