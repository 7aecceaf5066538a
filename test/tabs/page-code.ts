import { createRateLimitedFetch, type FetchEvent } from 'lull/fetch'
import { shareBetweenTabs } from 'lull/tabs'

/** The functions by which tests control a page. */
export interface TabPage {
  /** Makes `count` calls to the path at once and returns the number of responses by status. */
  call: (path: string, count: number) => Promise<number[]>
  /** The same, without waiting for responses. */
  begin: (path: string, count: number) => void
  gate: () => { open: boolean; remainingMs: number; source: string | undefined }
  ignored: () => number
}

const events: FetchEvent[] = []
const f = createRateLimitedFetch({
  policies: [shareBetweenTabs()],
  maxRetries: Infinity,
  maxWaitMs: Infinity,
  onEvent: (event) => events.push(event),
})

const page: TabPage = {
  call: async (path, count) => {
    const responses = await Promise.all(Array.from({ length: count }, () => f(path)))
    return responses.map(({ status }) => status)
  },
  begin: (path, count) => void page.call(path, count),
  gate() {
    const { open, remainingMs, source } = f.snapshot().gate
    return { open, remainingMs, source }
  },
  ignored: () => events.filter(({ type }) => type === 'ignored').length,
}

Object.assign(globalThis, { page })
