import { parseRetryAfter, type Policy } from 'lull/fetch'

/** Reads `Retry-After-short` and the like: one header for each limit. */
export const namedThrottlers = (): Policy => () => ({
  read({ headers }) {
    const waits: number[] = []
    headers.forEach((value, name) => {
      if (name.startsWith('retry-after-'))
        waits.push(parseRetryAfter(value) ?? 0)
    })
    const waitMs = Math.max(...waits)
    return waitMs > 0 ? { waitMs, source: 'retry-after:delay' } : undefined
  },
})
