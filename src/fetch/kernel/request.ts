import type { RateLimitedRequestInit } from '../options.ts'

/** The `init` of a request that a rate-limited fetch sends with the global one. */
export interface SentInit extends RateLimitedRequestInit {
  /** The rate-limited fetches that have sent it. One that is installed, perhaps under a wrapper, gets it back. */
  sentBy?: Set<object>
}

/** The arguments of a fetch, as they were at the call. */
export interface RequestSource {
  /** Absolute. */
  readonly url: string
  /** Null for `data:`, `blob:` and `file:` URLs, which use no network. */
  readonly origin: string | null
  /** In upper case. */
  readonly method: string
  readonly signal: AbortSignal | undefined
  readonly isKeepalive: boolean
  readonly hasIdempotencyKey: boolean | undefined
  /** Whether the body can be read only once. */
  readonly isStream: boolean
  /** The `Request` that is sent; undefined if a URL is sent. */
  readonly own: Request | undefined
  /** What to cancel when the call is over: the body of a `Request`, or a stream. */
  readonly unsent: Partial<Pick<Request, 'body' | 'bodyUsed'>>
  /** Returns the arguments as a `Request`, made at the first call. */
  readonly request: () => Request
  /** Returns the arguments of one attempt. With `isLast` they have the body itself, not a copy. */
  readonly toArguments: (
    isLast: boolean,
    signal?: AbortSignal | null,
  ) => [string | Request, RequestInit | undefined]
}

/** Members of `init` that are never invalid. With only these, no `Request` is made as a check. */
const HARMLESS = /^(signal|headers)$/
/** Members of `init` that a `Request` has but does not show. */
const HIDDEN = /^(body|duplex|priority|window)$/

/**
 * Reads, checks and copies the arguments, so that later changes to them have no effect.
 *
 * A URL is sent as a URL with its `init`, and a `Request` as a `Request` of the same class, because a fetch of another realm
 * (undici, a polyfill) does not accept the platform's `Request`. Only a form of the platform that may be sent again is sent in a
 * `Request`, because its boundary must be the same in each attempt.
 *
 * @throws what the platform's fetch rejects with for the same arguments.
 */
export function readArguments(
  input: string | URL | Request,
  init: RateLimitedRequestInit | undefined,
): RequestSource {
  // jsdom has no `Request`, Node no document.
  const { Request, Headers, FormData, document, location } = globalThis as Partial<typeof globalThis>
  const members: RateLimitedRequestInit = { ...init }
  delete members.rateLimit
  const isInherited = inheritsMembers(init, members)
  const { body, method = 'GET' }: RequestInit = init ?? members
  const signal = signalOf(input, init)
  const isStream = isObject(body) && ['getReader', Symbol.asyncIterator, 'pipe'].some((name) => name in body)
  let own: Request | undefined
  let made: Request | undefined
  let headers: Headers | undefined
  if (isRequest(input)) {
    // A request of another realm is copied by its own class.
    const Own = (
      Request && input instanceof Request ? Request : input.constructor
    ) as typeof globalThis.Request
    own = new Own(input, init)
  }
  const address = new URL(own?.url ?? (input as string | URL), document?.baseURI ?? location?.href)
  const url = address.href
  if (!own) {
    // Reads the headers once, because they may be an iterator. A plain object stays one, as mocks of fetch expect.
    headers = Headers && members.headers && new Headers(members.headers)
    if (headers)
      members.headers = Symbol.iterator in members.headers! ? headers : { ...(members.headers as object) }
    const isPlain = Object.keys(members).every((name) => HARMLESS.test(name)) && !url.includes('@')
    if (Request && (isInherited || !isPlain)) {
      const isForm = FormData && body instanceof FormData
      // Throws what the platform's fetch would reject with. Leaves out the signal, which would retain the request.
      made = new Request(url, isInherited ? init : { ...members, signal: null })
      if (isInherited || isForm) own = made
      if (isInherited) made = undefined
    }
    if (isObject(body) && !isStream) members.body = copyOf(body)
  }
  /** What the `Request` does not have. */
  let rest: RequestInit | undefined
  for (const name in own && members)
    if (!(name in own! || HIDDEN.test(name))) rest = { ...rest, [name]: members[name as keyof RequestInit] }
  let sends = 0
  return {
    url,
    origin: /^https?:/.test(url) ? address.origin : null,
    method: own?.method ?? method.toUpperCase(),
    signal,
    isKeepalive: !!(own ?? members).keepalive,
    hasIdempotencyKey: (own?.headers ?? headers)?.has('idempotency-key'),
    isStream,
    own,
    unsent: own ?? { body: isStream ? (body as ReadableStream) : null },
    request: () =>
      own ??
      // Where the platform has no `Request`, a plain object replaces it.
      (made ??= Request
        ? new Request(url, { ...members, body: null })
        : ({ method, ...members, url } as unknown as Request)),
    // Passes the caller's signal, not only a `Request` that follows it: in Node it stops following when it is collected.
    // In a Server Component the global fetch returns the first response again, unless it gets a signal.
    toArguments(
      isLast,
      either = document ? members.signal : (signal ?? (sends++ ? new AbortController().signal : undefined)),
    ) {
      // With any option the platform resets the mode of a navigation and the range of media, in a service worker.
      const signals = either && !/n[ao]/.test(own?.mode as string) && { signal: either }
      if (!own || (made && isLast)) return [url, init || signals ? { ...members, ...signals } : init]
      // A form that is sent in a `Request` once always is.
      made = undefined
      return [
        // Its `body` is not read: WebKit could not send the files of a form after that, and Firefox has none.
        isLast || own.method === 'GET' ? own : ((own as Partial<Request>).clone?.() ?? own),
        // With any option the platform resets the referrer.
        signals ? { referrer: own.referrer, referrerPolicy: own.referrerPolicy, ...rest, ...signals } : rest,
      ]
    },
  }
}

/** Whether `copy` lacks members of `init` that the platform reads: inherited ones, such as those of a `Request`. */
export const inheritsMembers = (init: RequestInit | null | undefined, copy: object = { ...init }): boolean =>
  init != null &&
  (!isObject(init) ||
    ['method', 'headers', 'body', 'credentials'].some((name) => name in init && !(name in copy)))

/**
 * Returns the arguments for another fetch, after `request` was made from them. A URL stays one, because a fetch of another realm
 * accepts no `Request` of the platform, and a `Request` does not show whether its body was given as a stream.
 */
export function argumentsFor(
  request: Request,
  input: string | URL | Request,
  init: RateLimitedRequestInit | undefined,
): [input: string | URL | Request, init: RateLimitedRequestInit | undefined] {
  // An iterator of headers has ended by now.
  if (inheritsMembers(init) || 'next' in Object(init?.headers)) return [request, undefined]
  return [input instanceof Request ? request : input, init]
}

const isObject = (value: unknown): value is object => Object(value) === value

const isRequest = (input: string | URL | Request): input is Request =>
  (input as Partial<Request> | null)?.url !== undefined

/** Copies a body that its owner may still change. */
function copyOf(body: object): BodyInit {
  // Parameters, whose subclass may be read-only, or a form. Those of React Native cannot be read.
  if ('has' in body) {
    const Copy = body instanceof URLSearchParams ? URLSearchParams : body.constructor
    const copy = new (Copy as typeof FormData)()
    for (const [name, value] of body as FormData) copy.append(name, value)
    return copy
  }
  if (!('byteLength' in body)) return body as BodyInit
  const { buffer = body as ArrayBuffer, byteOffset, byteLength } = body as Partial<Uint8Array<ArrayBuffer>>
  return new Uint8Array(buffer, byteOffset, byteLength).slice()
}

/**
 * What aborts a signal: it is retained as long as the signal. In Node the signal of a collected request no longer aborts, nor does one
 * of `AbortSignal.any` for a collected signal.
 */
export const sources: WeakMap<AbortSignal, Request | AbortSignal> = /* @__PURE__ */ new WeakMap()

/** Returns the signal of a fetch with these arguments. */
export function signalOf(
  input: string | URL | Request,
  init: RequestInit | undefined,
): AbortSignal | undefined {
  if (init?.signal !== undefined) return init.signal ?? undefined
  const signal = isRequest(input) ? input.signal : undefined
  // A `Request` of node-fetch has none.
  if (signal) sources.set(signal, input as Request)
  return signal
}

/**
 * Cancels a body that is not read, so that its connection is free. A failure to cancel is ignored. A mocked response may be
 * undefined, and its body anything.
 */
export function discard(source: Partial<Pick<Response, 'body' | 'bodyUsed'>> | undefined): void {
  // An async function, so that `cancel` may also throw or return nothing.
  if (source?.body && !source.bodyUsed)
    (async () => (source.body as Partial<ReadableStream>).cancel?.())().catch(() => undefined)
}
