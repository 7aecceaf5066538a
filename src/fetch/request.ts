import type { RateLimitedRequestInit } from './options.ts'

/** The arguments of a fetch as they were when it was called. */
export interface RequestSource {
  /** Absolute. */
  readonly url: string
  /** Null for what goes over no network (`data:`, `blob:`, `file:`). */
  readonly origin: string | null
  /** In upper case. */
  readonly method: string
  readonly signal: AbortSignal | undefined
  readonly isKeepalive: boolean
  readonly hasIdempotencyKey: boolean
  /** Whether the body can be read only once. */
  readonly isStream: boolean
  /** As a `Request`, made when first asked for. */
  readonly request: () => Request
  /** Arguments for one attempt; with `isLast` the body itself goes out, not a copy. */
  readonly toArguments: (isLast: boolean, signal?: AbortSignal) => [RequestInfo, RequestInit | undefined]
  /** Whether the body is still unread. */
  readonly isUnread: () => boolean
  /** Lets go of what is left of the body. */
  readonly discard: () => void
}

/** Members of `init` that cannot make the platform refuse a request: then none is made to find out. */
const HARMLESS = /^(signal|headers|rateLimit|priority)$/
/** Members of `init` that a `Request` carries without showing them, or that are ours. */
const HIDDEN = /^(duplex|priority|rateLimit|window)$/

/**
 * Reads and checks the arguments, so that later changes to them are not seen.
 *
 * A URL goes on as a URL with its `init`, a `Request` as one of its own class: a fetch of another realm (undici's, a
 * polyfill's) understands those, and not our platform's `Request`. The two bodies that go on in a `Request` all the same are a
 * stream, which is read once, and a form, whose boundary is to be the same in each attempt.
 *
 * @throws what the platform's fetch rejects with for the same arguments.
 */
export function readArguments(
  input: RequestInfo | URL,
  init: RateLimitedRequestInit | undefined,
): RequestSource {
  // What a platform may lack: jsdom has no `Request`, Node no document.
  const { Request, Headers, document, location } = globalThis as Partial<typeof globalThis>
  const members: RateLimitedRequestInit = { ...init }
  delete members.rateLimit
  const { body, method = 'GET' } = members
  const signal = signalOf(input, init)
  const isOnce = isObject(body) && ('getReader' in body || Symbol.asyncIterator in body)
  let request: Request | undefined
  /** A request that goes on as one. */
  let own: Request | undefined
  let address: URL
  if (isRequest(input)) {
    // Also one of another realm.
    const Own = (Request && input instanceof Request ? Request : input.constructor) as typeof globalThis.Request
    own = new Own(input, init)
    address = new URL(own.url)
  } else {
    address = new URL(input, document?.baseURI ?? location?.href)
    const isSafe = (name: string): boolean => HARMLESS.test(name)
    const isSignal = !signal || (isObject(signal) && 'aborted' in signal)
    if (Request && !(isSignal && Object.keys(members).every(isSafe) && !address.username && !address.password)) {
      const isWhole = /^(FormData|ReadableStream)$/.test(body?.constructor.name ?? '')
      // Refuses what the platform's fetch would refuse. A signal would keep the request.
      request = new Request(address, isSignal && !isWhole ? { ...members, signal: null } : members)
      if (isWhole) own = request
    }
  }
  if (own) {
    request = own
    const extras = Object.entries(init ?? {}).filter(([name]) => !(name in own || HIDDEN.test(name)))
    const { referrer, referrerPolicy } = own
    const rest = extras[0] && Object.fromEntries(extras)
    return {
      url: own.url,
      origin: originOf(address),
      method: own.method,
      signal,
      isKeepalive: own.keepalive,
      hasIdempotencyKey: own.headers.has('idempotency-key'),
      isStream: isOnce,
      request: () => own,
      toArguments: (isLast, ofAttempt) => [
        isLast || !own.body ? own : own.clone(),
        // Any option at all would have the platform forget where the request comes from.
        ofAttempt ? { referrer, referrerPolicy, ...rest, signal: ofAttempt } : rest,
      ],
      isUnread: () => !own.bodyUsed,
      discard: () => discard(own),
    }
  }
  const url = address.href
  const headers = Headers && members.headers && new Headers(members.headers)
  // A plain object stays one: whoever stands in for a fetch looks at what was given.
  if (headers) members.headers = members.headers?.constructor === Object ? { ...members.headers } : headers
  if (isObject(body) && !isOnce) members.body = copyOf(body)
  return {
    url,
    origin: originOf(address),
    method: method.toUpperCase(),
    signal,
    isKeepalive: !!members.keepalive,
    hasIdempotencyKey: !!headers?.has('idempotency-key'),
    isStream: isOnce,
    request: () =>
      // Platforms without one get a stand-in.
      (request ??= Request
        ? new Request(url, { ...members, body: null })
        : ({ method, ...members, url } as unknown as Request)),
    toArguments: (_, ofAttempt) => [
      url,
      ofAttempt ? { ...members, signal: ofAttempt } : init && { ...members },
    ],
    isUnread: () => true,
    discard: () => undefined,
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isRequest = (input: RequestInfo | URL): input is Request => isObject(input) && 'url' in input

/** Bodies that their owner may still change. */
function copyOf(body: object): BodyInit {
  if (body instanceof URLSearchParams) return new URLSearchParams(body)
  if (body instanceof ArrayBuffer) return body.slice(0)
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength).slice()
    : (body as BodyInit)
}

/** Null for what is sent over no network. */
export const originOf = ({ protocol, origin }: URL): string | null =>
  /^https?:$/.test(protocol) ? origin : null

/** Signals hold their requests: in Node the signal of a collected request hears nothing any more. */
const requests = /* @__PURE__ */ new WeakMap<AbortSignal, Request>()

/** The signal that a fetch with these arguments heeds. */
export function signalOf(input: RequestInfo | URL, init: RequestInit | undefined): AbortSignal | undefined {
  if (init?.signal !== undefined) return init.signal ?? undefined
  if (!isRequest(input)) return undefined
  requests.set(input.signal, input)
  return input.signal
}

/**
 * Lets go of a body that nobody will read, so that its connection is free. Not awaited: its failure concerns nobody. The body
 * of another library's response may be of any kind.
 */
export function discard({ body, bodyUsed }: Request | Response): void {
  if (typeof body?.cancel === 'function' && !bodyUsed) body.cancel().catch(() => undefined)
}
