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

/** What a platform may lack: jsdom has no `Request`, Node no document. */
const platform = globalThis as Partial<
  Pick<typeof globalThis, 'Request' | 'Headers' | 'document' | 'location'>
>

/** Members of `init` that cannot make the platform refuse a request: then none is made to find out. */
const HARMLESS = /^(signal|headers|rateLimit|priority)$/
/** Members of `init` that a `Request` carries without showing them, or that are ours. */
const HIDDEN = /^(duplex|priority|rateLimit|window)$/

/**
 * Reads and checks the arguments, so that later changes to them are not seen.
 *
 * A URL goes on as a URL with its `init`, a `Request` as one of its own class: a fetch of another realm (undici's, a
 * polyfill's) understands those, and not our platform's `Request`.
 *
 * @throws what the platform's fetch rejects with for the same arguments.
 */
export function readArguments(
  input: RequestInfo | URL,
  init: RateLimitedRequestInit | undefined,
): RequestSource {
  if (isRequest(input)) {
    // Also of another realm.
    const { Request = input.constructor as typeof globalThis.Request } = platform
    const own = (input as unknown) instanceof Request ? Request : (input.constructor as typeof Request)
    return fromRequest(new own(input, init), init, signalOf(input, init))
  }
  const address = new URL(input, platform.document?.baseURI ?? platform.location?.href)
  const url = address.href
  const members: RateLimitedRequestInit = { ...init }
  delete members.rateLimit
  const { body, signal, method = 'GET' } = members
  const isOnce = isStream(body)
  const { Request: Requests, Headers: Fields } = platform
  let request: Request | undefined
  const toRequest = (): Request =>
    // Platforms without one get a stand-in.
    (request ??= Requests
      ? new Requests(url, { ...members, body: null })
      : ({ method, ...members, url } as unknown as Request))

  const isHarmless = Object.keys(members).every((name) => HARMLESS.test(name))
  if (Requests && !(isHarmless && !address.username && !address.password && (!signal || isSignal(signal)))) {
    // The boundary between the parts of a form is to be the same in each attempt; a stream is read once.
    const isWhole = /^(FormData|ReadableStream)$/.test(body?.constructor.name ?? '')
    // Refuses what the platform's fetch would refuse. A signal would keep the request.
    request = new Requests(url, isSignal(signal) && !isWhole ? { ...members, signal: null } : members)
    if (isWhole) return fromRequest(request, init, signal ?? undefined)
  }
  const headers = Fields && members.headers && new Fields(members.headers)
  // A plain object stays one: whoever stands in for a fetch looks at what was given.
  if (headers)
    members.headers =
      members.headers?.constructor.name === 'Object' ? Object.assign({}, members.headers) : headers
  if (isObject(body) && !isOnce) members.body = copyOf(body)
  return {
    url,
    origin: originOf(address),
    method: method.toUpperCase(),
    signal: signal ?? undefined,
    isKeepalive: !!members.keepalive,
    hasIdempotencyKey: headers?.has('idempotency-key') ?? false,
    isStream: isOnce,
    request: toRequest,
    toArguments: (_, ofAttempt) => [
      url,
      ofAttempt ? { ...members, signal: ofAttempt } : init && { ...members },
    ],
    isUnread: () => true,
    discard: () => undefined,
  }
}

function fromRequest(
  request: Request,
  init: RateLimitedRequestInit | undefined,
  signal: AbortSignal | undefined,
): RequestSource {
  const { url, method, headers, keepalive, referrer, referrerPolicy } = request
  const extras = Object.entries(init ?? {}).filter(([name]) => !(name in request || HIDDEN.test(name)))
  const members = extras[0] && Object.fromEntries(extras)
  return {
    url,
    origin: originOf(new URL(url)),
    method,
    signal,
    isKeepalive: keepalive,
    hasIdempotencyKey: headers.has('idempotency-key'),
    isStream: isStream(init?.body),
    request: () => request,
    toArguments: (isLast, ofAttempt) => [
      isLast || !request.body ? request : request.clone(),
      // Any option at all would have the platform forget where the request comes from.
      ofAttempt ? { referrer, referrerPolicy, ...members, signal: ofAttempt } : members,
    ],
    isUnread: () => !request.bodyUsed,
    discard: () => discard(request),
  }
}

/** Whether a body can be read only once. */
const isStream = (body: unknown): boolean =>
  isObject(body) && ('getReader' in body || Symbol.asyncIterator in body)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isSignal = (value: unknown): boolean => isObject(value) && 'aborted' in value

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
