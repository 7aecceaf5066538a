import ky from 'ky'
import { systemClock } from 'lull/core'
import { createRateLimitedFetch } from 'lull/fetch'

export const rivals = ['retry', 'ky'] as const
export type Rival = (typeof rivals)[number]
export type Runner = Rival | 'lull'

export const runnerNames: Record<Runner, string> = {
  retry: 'fetch + retry',
  ky: 'ky',
  lull: 'lull',
}

interface Sender extends Disposable {
  send: (url: string, init: { signal: AbortSignal }) => Promise<Response>
}

const MOST_RETRIES = 5
const FIRST_DELAY_MS = 250

const nothing = (): void => undefined

/** How each lane sends a request through `fetch`, which counts it. */
export const runners: Record<Runner, (fetch: typeof globalThis.fetch) => Sender> = {
  retry: (fetch) => ({
    send: (url, init) => fetchWithRetry(fetch, url, init),
    [Symbol.dispose]: nothing,
  }),
  ky: (fetch) => ({
    // Reads Retry-After, but each request for itself.
    send: (url, { signal }) => ky(url, { fetch, signal, retry: { limit: MOST_RETRIES } }),
    [Symbol.dispose]: nothing,
  }),
  lull: (fetch) => {
    const limited = createRateLimitedFetch({ fetch })
    return { send: limited, [Symbol.dispose]: () => limited[Symbol.dispose]() }
  },
}

/** The retry loop that many pages have: exponential backoff, without a look at the headers. */
async function fetchWithRetry(
  fetch: typeof globalThis.fetch,
  url: string,
  init: { signal: AbortSignal },
): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await fetch(url, init)
    if (response.status !== 429 || retries === MOST_RETRIES) return response
    await sleep(FIRST_DELAY_MS * 2 ** retries, init.signal)
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = systemClock.after(ms, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      reject(signal.reason as Error)
    })
  })
}
