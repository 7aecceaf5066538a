import type { Decision } from '../core/limit/limiter.ts'
import type { RunScript } from './clients.ts'

/** A refusal that is remembered. */
interface Refusal extends Decision {
  /** The instant at which it was made. */
  at: number
}

/** What all limiters on one `run` share. */
export interface Connection {
  /** By key and cost, the oldest first. */
  readonly refusals: Map<string, Refusal>
  /** Failures in a row. */
  failures: number
  /** What the last failure was. */
  error?: unknown
  /** While the circuit is open: the instant from which one decision goes as a probe. */
  retryAt: number
}

const connections = new WeakMap<RunScript, Connection>()

/** The connection behind `run`. */
export function connectionOf(run: RunScript): Connection {
  let connection = connections.get(run)
  if (!connection) connections.set(run, (connection = { refusals: new Map(), failures: 0, retryAt: 0 }))
  return connection
}
