import type { AllSettings } from '../settings/schema.ts'

/** The code that is shown beside each panel, by its settings. A test runs it. */
export const snippets = {
  search: ({ page, policies }: AllSettings): string => {
    const { driver, wait, leading, trailing, maxWait, ratePerSecond, burst } = page
    const limit =
      ratePerSecond < Infinity && `limitRate({ ratePerSecond: ${ratePerSecond}, burst: ${burst} })`
    const chosen = [
      policies.learn && 'learnPace()',
      policies.fields && 'rateLimitFields()',
      policies.legacy && 'legacyRateLimitFields()',
      limit,
      policies.breaker && 'circuitBreaker()',
      policies.priorities && 'priorities()',
      policies.tabs && 'shareBetweenTabs()',
    ].filter((policy) => policy !== false)
    const shaper = driver === 'throttled' ? 'throttle' : 'debounce'
    const given =
      driver === 'throttled'
        ? []
        : [
            leading && 'leading: true',
            !trailing && 'trailing: false',
            maxWait < Infinity && `maxWait: ${maxWait}`,
          ].filter(Boolean)
    const options = given.length > 0 ? `, { ${given.join(', ')} }` : ''
    return [
      ...(driver === 'keystroke' ? [] : [`import { ${shaper} } from 'lull/core'`]),
      "import * as lull from 'lull/fetch'",
      ...(policies.tabs ? ["import { shareBetweenTabs } from 'lull/tabs'"] : []),
      '',
      'const fetch = lull.composeRateLimitedFetch({',
      '  policies: [',
      ...chosen.map((policy) => `    ${policy.startsWith('share') ? '' : 'lull.'}${policy},`),
      '  ],',
      '})',
      driver === 'keystroke'
        ? 'const search = async (text) => {'
        : `const search = ${shaper}(async (text) => {`,
      '  show(await fetch(`/search?q=${text}`))',
      driver === 'keystroke' ? '}' : `}, ${wait}${options})`,
    ]
      .join('\n')
      .replace('lull.circuitBreaker()', 'lull.circuitBreaker(breaker)')
  },

  modes: ({
    modes: { wait, maxWait },
  }: AllSettings): string => `import { debounce, throttle } from 'lull/core'

const search = debounce(run, ${wait})
const first = debounce(run, ${wait}, { leading: true })
const capped = debounce(run, ${wait}, { maxWait: ${maxWait} })
const steady = throttle(run, ${wait})`,

  scroll: ({ scroll: { wait } }: AllSettings): string => `import { useThrottledEvent } from 'lull'

function useScroll(box, onScroll) {
  useThrottledEvent(box, 'scroll', onScroll, ${wait})
}`,

  batching: ({ batch: { wait, maxSize } }: AllSettings): string => `import { batch } from 'lull/core'

const users = batch((ids) => getUsers(ids), {
  wait: ${wait},
  maxSize: ${maxSize},
})
const user = await users.add(7)`,

  limits: ({
    limits: { ratePerSecond, burst },
  }: AllSettings): string => `import { createLimiter, tokenBucket } from 'lull/core'

const limiter = createLimiter(
  tokenBucket({ ratePerSecond: ${ratePerSecond}, burst: ${burst} }),
)
const { allowed, retryAfterMs } = limiter.decide()`,

  adaptive: (): string => `import * as lull from 'lull/core'

const limiter = lull.createAdaptiveLimiter(
  lull.tokenBucket({ ratePerSecond: 5, burst: 2 }),
  { max: 100, increase: 4 },
)
if (limiter.allow())
  if (await isServed()) limiter.success()
  else limiter.failure()`,

  autosave: ({
    autosave: { wait },
  }: AllSettings): string => `import { pageHide, useDebouncedAsync } from 'lull'

function useAutosave(save) {
  const flushOn = [pageHide]
  return useDebouncedAsync(save, ${wait}, { flushOn })
}`,
}

export type Snippet = keyof typeof snippets
