import { signalOf } from './signal-of.ts'

/** The arguments of a fetch, as they were when it was called. */
export interface RequestSource {
  /** Absolute. */
  readonly url: string
  /** Of what is fetched over a network; null: it is not. R9 */
  readonly origin: string | null
  readonly method: string
  readonly signal: AbortSignal | undefined
  readonly isKeepalive: boolean
  /** Whether the caller gave it a key by which the server knows it again. */
  readonly hasIdempotencyKey: boolean
  /** False for a streamed body, which can be read only once. */
  readonly isStream: boolean
  /** The body, or nothing. For a request without one none is made. */
  readonly body: () => Request | undefined
  /** As a request; made when it is first asked for. */
  readonly request: () => Request
  /** What the platform's fetch is called with; `isLast` gives away the body itself, and not a copy. R95, R96 */
  readonly toArguments: (isLast: boolean, signal?: AbortSignal) => [RequestInfo, RequestInit | undefined]
}

/** The members of `init` that a `Request` carries, or that are ours; others go along with every attempt. R6 */
const CARRIED = new Set(
  (
    'body cache credentials duplex headers integrity keepalive method mode priority redirect referrer referrerPolicy ' +
    'signal window rateLimit'
  ).split(' '),
)
/** What a request may have that is not worth a `Request`, which takes longer to make than all that we do. */
const PLAIN = new Set(['signal', 'headers', 'rateLimit'])

/**
 * @throws what the platform's fetch rejects with for the same arguments. R5
 */
export function readArguments(input: RequestInfo | URL, init: RequestInit | undefined): RequestSource {
  if (!(input instanceof Request)) {
    const url = new URL(input, baseUrl())
    if (isPlain(url, init)) return plainSource(url, init)
    input = url
  }
  const request = new Request(input, init)
  const { referrer, referrerPolicy } = request
  const signal = signalOf(input, init)
  const entries = Object.entries(init ?? {}).filter(([name]) => !CARRIED.has(name))
  const extras = entries.length > 0 ? Object.fromEntries(entries) : undefined
  return {
    url: request.url,
    origin: originOf(new URL(request.url)),
    method: request.method,
    signal,
    isKeepalive: request.keepalive,
    hasIdempotencyKey: request.headers.has('idempotency-key'),
    isStream: isStream(init?.body),
    body: () => request,
    request: () => request,
    toArguments: (isLast, ofAttempt) => [
      isLast || !request.body ? request : request.clone(),
      // Any option at all would have the platform forget where the request comes from. R146
      ofAttempt ? { referrer, referrerPolicy, ...extras, signal: ofAttempt } : extras,
    ],
  }
}

function isPlain({ username, password }: URL, init: RequestInit | undefined): boolean {
  for (const name in init) if (!PLAIN.has(name)) return false
  const signal = init?.signal
  return !username && !password && (!signal || signal instanceof AbortSignal)
}

function plainSource(address: URL, init: RequestInit | undefined): RequestSource {
  const url = address.href
  const headers = init?.headers && new Headers(init.headers)
  const signal = init?.signal ?? undefined
  let request: Request | undefined
  return {
    url,
    origin: originOf(address),
    method: 'GET',
    signal,
    isKeepalive: false,
    hasIdempotencyKey: false,
    isStream: false,
    body: () => request,
    request: () => (request ??= new Request(url, optionsOf(headers, signal))),
    toArguments: (_, ofAttempt) => [url, optionsOf(headers, ofAttempt ?? signal)],
  }
}

function optionsOf(headers: Headers | undefined, signal: AbortSignal | undefined): RequestInit | undefined {
  return headers || signal ? { ...(headers && { headers }), ...(signal && { signal }) } : undefined
}

/** Null for what is sent over no network. */
export const originOf = ({ protocol, origin }: URL): string | null =>
  /^https?:$/.test(protocol) ? origin : null

/** What relative URLs are relative to: nothing, outside of a page or a worker. */
function baseUrl(): string | undefined {
  const { document, location } = globalThis as Partial<typeof globalThis>
  return document?.baseURI ?? location?.href
}

function isStream(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    (body instanceof ReadableStream || Symbol.asyncIterator in body)
  )
}
