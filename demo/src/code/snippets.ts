import type { AllSettings } from '../settings/schema.ts'

/** The code shown in each panel, generated from the settings. A test runs it. */
export const snippets = {
  search: ({ page, policies }: AllSettings): string => {
    const { driver, wait, leading, trailing, maxWait, ratePerSecond, burst } = page
    const limit =
      ratePerSecond < Infinity &&
      `limitRate(
      tokenBucket({ ratePerSecond: ${ratePerSecond}, burst: ${burst} }),
    )`
    const chosen = [
      policies.learn && 'learnPace()',
      policies.fields && 'rateLimitFields()',
      policies.legacy && 'legacyRateLimitFields()',
      limit,
      policies.breaker && 'circuitBreaker(createCircuitBreaker())',
      policies.priorities && 'priorities()',
      policies.tabs && 'shareBetweenTabs()',
    ]
      .filter((policy) => policy !== false)
      .map((policy) => `${policy.startsWith('share') ? '' : 'lull.'}${policy},`)
    const shaper = driver === 'throttled' ? 'throttle' : 'debounceAsync'
    // The older request is aborted.
    const isAborted = driver === 'debounced'
    const given =
      driver === 'throttled'
        ? []
        : [
            leading && 'leading: true',
            !trailing && 'trailing: false',
            maxWait < Infinity && `maxWait: ${maxWait}`,
          ].filter(Boolean)
    const options = given.length > 0 ? `, { ${given.join(', ')} }` : ''
    const ofCore = [
      driver !== 'keystroke' && shaper,
      limit && 'tokenBucket',
      policies.breaker && 'createCircuitBreaker',
    ].filter(Boolean)
    return [
      ...(ofCore.length > 1
        ? ['import {', ...ofCore.map((name) => `  ${name as string},`), "} from 'lull/core'"]
        : ofCore.length > 0
          ? [`import { ${ofCore.join(', ')} } from 'lull/core'`]
          : []),
      "import * as lull from 'lull/fetch'",
      ...(policies.tabs ? ["import { shareBetweenTabs } from 'lull/tabs'"] : []),
      '',
      'const fetch = lull.composeRateLimitedFetch({',
      '  policies: [',
      ...inLines(chosen).map((line) => `    ${line}`),
      '  ],',
      '})',
      driver === 'keystroke'
        ? 'const search = async (text) => {'
        : `const search = ${shaper}(async (${isAborted ? 'signal, ' : ''}text) => {`,
      '  const url = `/search?q=${encodeURIComponent(text)}`',
      `  show(await fetch(url${isAborted ? ', { signal }' : ''}))`,
      driver === 'keystroke' ? '}' : `}, ${wait}${options})`,
    ].join('\n')
  },

  modes: ({ modes: { wait, maxWait } }: AllSettings): string => `import * as lull from 'lull/core'

const leading = lull.debounce(run, ${wait}, {
  leading: true,
  trailing: false,
})
const trailing = lull.debounce(run, ${wait})
const both = lull.debounce(run, ${wait}, { leading: true })
const maxWait = lull.debounce(run, ${wait}, { maxWait: ${maxWait} })
const throttle = lull.throttle(run, ${wait})
const frame = lull.throttleFrame(run)`,

  scroll: ({ scroll: { wait } }: AllSettings): string => `import * as lull from 'lull'

function useBox(box, onThrottled, onFrame) {
  lull.useThrottledEvent(box, 'scroll', onThrottled, ${wait})
  lull.useThrottledResize(box, onThrottled, ${wait})

  // Without a wait: once a frame.
  lull.useThrottledEvent(box, 'scroll', onFrame)
  lull.useThrottledResize(box, onFrame)
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

  adaptive: ({ adaptive: { ratePerSecond, load } }: AllSettings): string => `import * as lull from 'lull/core'

// ${load} calls a second, to a server that takes ${ratePerSecond}
const limiter = lull.createAdaptiveLimiter(
  lull.tokenBucket({ ratePerSecond: 5, burst: 2 }),
  { max: 100, increase: 4 },
)
if (limiter.allow())
  if (await isServed()) limiter.success()
  else limiter.failure()`,

  autosave: ({ autosave: { wait } }: AllSettings): string => `import * as lull from 'lull'

// Each save has a number; the server keeps the highest.
function useAutosave(save) {
  return lull.useDebouncedAsync(save, ${wait}, {
    onUnmount: 'flush',
    flushOn: [lull.pageHidden, lull.pageHide],
  })
}`,
}

export type Snippet = keyof typeof snippets

/** The most characters in a line of policies. */
const WIDTH = 56

/** Joins words to lines. */
function inLines(words: readonly string[]): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
