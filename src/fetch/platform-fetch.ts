/** The platform's fetch, as it is when it is used. R2 */
export interface PlatformFetch {
  /** @param own the user's own, in place of the platform's. */
  send: (own: typeof fetch | undefined, input: RequestInfo, init?: RequestInit) => Promise<Response>
  /** What was there before the paced one: for what comes back to it from a fetch that was wrapped around it. */
  before: typeof fetch
  /** Whether these arguments are of a request that has been sent, and comes back. */
  comesBack: (input: RequestInfo | URL) => boolean
}

/**
 * Looked up when it is used, so that a stand-in installed later is the one called. If the paced fetch has been installed as
 * `globalThis.fetch` itself, it is the one that was there before.
 *
 * @param paced the paced fetch.
 */
export function createPlatformFetch(paced: typeof fetch): PlatformFetch {
  const before = globalThis.fetch
  const sent = new WeakSet<Request>()
  let platform = before
  let isSending = false

  return {
    before,
    send(own, input, init) {
      if (globalThis.fetch !== paced) platform = globalThis.fetch
      if (own) return own(input, init)
      // One that stands in for the platform's may be wrapped around us, and pass on what we send it, at once or later.
      if (platform !== before) {
        input = input instanceof Request ? input : new Request(input, init)
        sent.add(input)
      }
      isSending = true
      try {
        return platform(input, init)
      } finally {
        isSending = false
      }
    },
    comesBack: (input) => isSending || (input instanceof Request && sent.has(input)),
  }
}
