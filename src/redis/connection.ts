import type { Decision } from '../core/limit/limiter.ts'
import type { RunScript } from './clients.ts'

/** A cached refusal. */
interface Refusal extends Decision {
  /** The instant of the refusal. */
  at: number
}

/** The state shared by all limiters with the same `run`. */
export interface Connection {
  /** Cached refusals by key and cost, oldest first. */
  readonly refusals: Map<string, Refusal>
  /** Failures in a row. */
  failures: number
  /** The last error. */
  error?: unknown
  /** The instant of the next probe while the circuit is open. */
  retryAt: number
}

const connections = new WeakMap<RunScript, Connection>()

/** Returns the shared state of `run`. */
export function connectionOf(run: RunScript): Connection {
  let connection = connections.get(run)
  if (!connection) connections.set(run, (connection = { refusals: new Map(), failures: 0, retryAt: 0 }))
  return connection
}
