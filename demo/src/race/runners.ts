import { systemClock } from 'lull/core'
import { createRateLimitedFetch } from 'lull/fetch'

export const rivals = ['retry', 'ky', 'p-retry', 'axios-retry'] as const
export type Rival = (typeof rivals)[number]
export type Runner = Rival | 'lull'

export const runnerNames: Record<Runner, string> = {
  retry: 'fetch + retry',
  ky: 'ky',
  'p-retry': 'p-retry',
  'axios-retry': 'axios-retry',
  lull: 'lull',
}

/** How each waits after a refusal. */
export const rivalWords: Record<Rival, string> = {
  retry: 'a usual retry loop, which does not read Retry-After',
  ky: 'ky, which reads Retry-After too, but each request waits by itself',
  'p-retry': 'p-retry, which retries after delays of its own',
  'axios-retry': 'axios-retry, which reads Retry-After too, but each request waits by itself',
}

interface Sender extends Disposable {
  /** Resolves with the results. */
  send: (url: string, signal: AbortSignal) => Promise<unknown>
}

type Fetch = typeof globalThis.fetch

const MOST_RETRIES = 5
const FIRST_DELAY_MS = 250

const plain = (send: Sender['send']): Sender => ({ send, [Symbol.dispose]: () => undefined })

/** Creates the sender of each lane. `fetch` counts the requests. Third-party libraries load on first use. */
export const runners: Record<Runner, (fetch: Fetch) => Sender> = {
  retry: (fetch) => plain((url, signal) => fetchWithRetry(fetch, url, signal)),
  // Reads Retry-After, but for each request separately.
  ky: (fetch) =>
    plain(async (url, signal) => {
      const { default: ky } = await import('ky')
      return ky(url, { fetch, signal, retry: { limit: MOST_RETRIES } }).arrayBuffer()
    }),
  // Retries any rejection, with its own delays.
  'p-retry': (fetch) =>
    plain(async (url, signal) => {
      const { default: pRetry } = await import('p-retry')
      const options = { signal, retries: MOST_RETRIES, minTimeout: FIRST_DELAY_MS }
      return pRetry(async () => read(await fetch(url, { signal })), options)
    }),
  // Reads Retry-After too, once it is configured to retry 429.
  'axios-retry': (fetch) =>
    plain(async (url, signal) => {
      const [{ default: axios }, { default: axiosRetry, exponentialDelay }] = await Promise.all([
        import('axios'),
        import('axios-retry'),
      ])
      const client = axios.create({ adapter: 'fetch', env: { fetch } })
      axiosRetry(client, {
        retries: MOST_RETRIES,
        retryDelay: exponentialDelay,
        retryCondition: ({ response }) => response?.status === 429,
      })
      return client.get(url, { signal })
    }),
  lull: (fetch) => {
    const limited = createRateLimitedFetch({ fetch })
    return {
      send: async (url, signal) => read(await limited(url, { signal })),
      [Symbol.dispose]: () => limited[Symbol.dispose](),
    }
  },
}

async function read(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`Status ${response.status}`)
  return response.arrayBuffer()
}

/** A common retry loop: exponential backoff that ignores the response headers. */
async function fetchWithRetry(fetch: Fetch, url: string, signal: AbortSignal): Promise<unknown> {
  for (let retries = 0; ; retries++) {
    const response = await fetch(url, { signal })
    if (response.status !== 429 || retries === MOST_RETRIES) return read(response)
    await sleep(FIRST_DELAY_MS * 2 ** retries, signal)
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
