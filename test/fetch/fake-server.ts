import type { Clock } from 'lull/core'

/** What the server says to one request. */
export type Answer =
  | number
  /** A status with more to it. */
  | { status: number; headers?: Record<string, string>; body?: BodyInit | null; latencyMs?: number }
  /** That very response. */
  | Response
  /** No response: the fetch rejects with the error. */
  | Error
  | { error: Error; latencyMs?: number }
  /** The fetch itself throws, in place of rejecting. */
  | { throws: unknown }

/** A request as the server has received it. */
export interface Received {
  url: string
  method: string
  headers: Record<string, string>
  /** To be awaited: a body is read in its own time. */
  body: Promise<Uint8Array>
  at: number
  request: Request
  /** The second argument of the fetch. */
  init: RequestInit | undefined
  /** How many requests of this origin were in flight then, this one included. */
  together: number
}

export interface FakeServer {
  fetch: typeof fetch
  /** In the order they were received. A request whose signal is aborted beforehand is not. */
  readonly requests: readonly Received[]
  /** How often the fetch was called. */
  readonly calls: number
  readonly inFlight: number
  /** The most requests that were in flight at once. */
  readonly peak: number
  /** Requests received before the end of a `Retry-After` that their origin had been answered with. */
  readonly early: readonly Received[]
  /** The instants of `requests`. */
  at: () => number[]
  /** The paths of `requests`. */
  paths: () => string[]
  /** Lets go of all requests, which hold listeners on the signals of their callers. */
  forget: () => void
}

const LATENCY_MS = 10

/** 429, with `Retry-After` if `seconds` are given. */
export const tooMany = (seconds?: number): { status: number; headers: Record<string, string> } => ({
  status: 429,
  headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
})

export const networkError = (): Answer => new TypeError('fetch failed')

/**
 * A server on the other side of its own `fetch`, in the time of `clock`. It answers 10 ms after a request came, if the
 * answer does not say otherwise, and rejects with the reason of the request's signal when that is aborted.
 *
 * @param answers one after the other, then 200; or what tells the answer to a request.
 */
export function createFakeServer(
  clock: Clock,
  answers: readonly Answer[] | ((received: Received, index: number) => Answer) = [],
): FakeServer {
  const requests: Received[] = []
  const early: Received[] = []
  const inFlightOf = new Map<string, number>()
  const closedUntil = new Map<string, number>()
  let calls = 0
  let inFlight = 0
  let peak = 0

  function count(origin: string, change: 1 | -1): number {
    inFlight += change
    peak = Math.max(peak, inFlight)
    const together = (inFlightOf.get(origin) ?? 0) + change
    inFlightOf.set(origin, together)
    return together
  }

  function receive(request: Request, init: RequestInit | undefined): Received {
    const received: Received = {
      url: request.url,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: request.arrayBuffer().then((buffer) => new Uint8Array(buffer)),
      at: clock.now(),
      request,
      init,
      together: count(new URL(request.url).origin, 1),
    }
    // A test that does not look at the body does not care whether it could be read.
    received.body.catch(() => undefined)
    if (clock.now() < (closedUntil.get(new URL(request.url).origin) ?? -Infinity)) early.push(received)
    requests.push(received)
    return received
  }

  function noteRetryAfter(response: Response, origin: string): void {
    const seconds = response.headers.get('retry-after')
    if (seconds === null || (response.status !== 429 && response.status !== 503)) return
    const until = clock.now() + Number(seconds) * 1000
    closedUntil.set(origin, Math.max(until, closedUntil.get(origin) ?? -Infinity))
  }

  function fakeFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    calls++
    // As the platform's fetch does, which also takes the input's body away.
    const request = new Request(input, init)
    const { signal } = request
    const { origin } = new URL(request.url)
    if (signal.aborted) return Promise.reject(signal.reason as Error)
    const received = receive(request, init)
    const answer =
      typeof answers === 'function' ? answers(received, requests.length - 1) : answers[requests.length - 1]
    if (typeof answer === 'object' && 'throws' in answer) {
      count(origin, -1)
      throw answer.throws
    }
    return new Promise((resolve, reject) => {
      const cancel = clock.after(latencyOf(answer), () => {
        signal.removeEventListener('abort', abort)
        count(origin, -1)
        if (answer instanceof Error) return reject(answer)
        if (typeof answer === 'object' && 'error' in answer) return reject(answer.error)
        const response = toResponse(answer)
        noteRetryAfter(response, origin)
        resolve(response)
      })
      function abort(): void {
        cancel()
        count(origin, -1)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  return {
    fetch: fakeFetch,
    requests,
    early,
    get calls() {
      return calls
    },
    get inFlight() {
      return inFlight
    },
    get peak() {
      return peak
    },
    at: () => requests.map(({ at }) => at),
    paths: () => requests.map(({ url }) => new URL(url).pathname),
    forget: () => void (requests.length = early.length = 0),
  }
}

function latencyOf(answer: Answer | undefined): number {
  return typeof answer === 'object' && 'latencyMs' in answer ? (answer.latencyMs ?? LATENCY_MS) : LATENCY_MS
}

function toResponse(answer: Exclude<Answer, Error | { error: Error } | { throws: unknown }> = 200): Response {
  if (answer instanceof Response) return answer
  const { status, headers = {}, body = null } = typeof answer === 'number' ? { status: answer } : answer
  return new Response(body, { status, headers })
}
