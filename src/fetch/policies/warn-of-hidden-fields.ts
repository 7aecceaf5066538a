import type { Policy } from '../policy.ts'

/**
 * A policy for development that warns once per origin when the page cannot read the server's limits, that is, when another origin
 * refuses without a readable time. It does not affect calls.
 */
export function warnOfHiddenFields(): Policy {
  return ({ key }) => {
    let hasWarned = false
    return {
      ended(_, { source }) {
        if (hasWarned || source !== 'none') return
        hasWarned = true
        console.warn(
          `${key} refused a request and does not say for how long, or this page may not read it. Its responses need ` +
            'Access-Control-Expose-Headers: Retry-After, RateLimit, RateLimit-Policy, Date',
        )
      },
    }
  }
}
