import type { HeapItem } from '../core/heap.ts'
import type { CallPhase } from './events.ts'
import type { Gate, Ticket } from './gate.ts'

/** One call of the paced fetch, from its arrival until it is settled. */
export interface Call extends HeapItem {
  /** Calls are numbered as they come. A call that is retried keeps its number, and so its place. R66 */
  readonly arrival: number
  readonly request: Request
  /** The members of `init` that a `Request` does not carry; they go along with every attempt. R6 */
  readonly extras: RequestInit | undefined
  readonly signal: AbortSignal | undefined
  /** False for a streamed body, which can be read only once. */
  readonly isReplayable: boolean
  attempts: number
  phase: CallPhase
  /** When a sleeping call is to be queued again. */
  wakesAt: number
  /** The gate that the last attempt went through, and what it was given there. */
  gate: Gate | undefined
  ticket: Ticket
  resolve: (response: Response) => void
  reject: (reason: unknown) => void
  stopListening: () => void
}

const carriedByRequest = new Set(
  'body cache credentials duplex headers integrity keepalive method mode priority redirect referrer referrerPolicy signal window'.split(
    ' ',
  ),
)

/**
 * Takes the arguments of a fetch as they are now, so that what is changed later, while the call waits, is not seen.
 * @throws what the platform's fetch rejects with for the same arguments. R5
 */
export function createCall(input: RequestInfo | URL, init: RequestInit | undefined, arrival: number): Call {
  const request = new Request(typeof input === 'string' ? new URL(input, baseUrl()) : input, init)
  const extras = Object.entries(init ?? {}).filter(([name]) => !carriedByRequest.has(name))
  const ownSignal = input instanceof Request ? input.signal : undefined
  return {
    arrival,
    request,
    extras: extras.length > 0 ? Object.fromEntries(extras) : undefined,
    signal: (init?.signal === undefined ? ownSignal : init.signal) ?? undefined,
    isReplayable: !isStream(init?.body),
    attempts: 0,
    phase: 'queued',
    wakesAt: 0,
    gate: undefined,
    ticket: { closing: 0, event: 0 },
    place: -1,
    resolve: () => undefined,
    reject: () => undefined,
    stopListening: () => undefined,
  }
}

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

/** Lets go of a body that nobody will read, so that its connection is free. Not awaited. R85 */
export function discard({ body, bodyUsed }: Request | Response): void {
  // An error here is that of a body already broken, which nobody is waiting for.
  if (body && !bodyUsed) body.cancel().catch(() => undefined)
}

/**
 * Sends the call once more. The last attempt gets the request itself, earlier ones a copy of it, for a body can be
 * read only once. Rejects if `send` throws. R95, R96
 */
export async function sendCall(call: Call, send: typeof fetch, isLast: boolean): Promise<Response> {
  const { request, extras, signal } = call
  call.attempts++
  signal?.throwIfAborted()
  return send(isLast || !request.body ? request : request.clone(), extras)
}

/** The end of a call. The signal is let go of, and what is left of the body. */
export function settleCall(call: Call, outcome: () => void): void {
  call.stopListening()
  discard(call.request)
  outcome()
}
