/** Marks what a fetch of ours has sent, where it may come back to it. */
const SENT = Symbol('sent')

type Init = RequestInit & { [SENT]?: object }

/** The platform's fetch, as it is when it is used. */
export interface PlatformFetch {
  /** @param own the user's own, in place of the platform's. */
  send: (own: typeof fetch | undefined, input: RequestInfo, init?: RequestInit) => Promise<Response>
  /** The one that was there first: for requests that come back. */
  before: typeof fetch
  /** Whether a request that was sent comes back, from a fetch that wraps ours. */
  comesBack: (init: RequestInit | undefined) => boolean
}

/**
 * Looks the platform's fetch up when it is used, so that a stand-in installed later is the one called. If ours is installed as
 * `globalThis.fetch`, it is the one that was there before; if that one is wrapped again, our request comes back to us.
 */
export function createPlatformFetch(ours: typeof fetch): PlatformFetch {
  const before = globalThis.fetch
  let platform = before
  let isSending = false

  return {
    before,
    send(own, input, init) {
      if (own) return own(input, init)
      if (globalThis.fetch !== ours) platform = globalThis.fetch
      if (platform === before) return platform(input, init)
      isSending = true
      try {
        return platform(input, { ...init, [SENT]: ours } as Init)
      } finally {
        isSending = false
      }
    },
    comesBack: (init) => isSending || (init as Init | undefined)?.[SENT] === ours,
  }
}
