import type { ManualClock } from 'lull/testing'

/** A call of the script: its argument, and its instant in ms. */
export interface Call {
  readonly text: string
  readonly at: number
}

/** A mark of a lane. Instants are on the manual clock, in ms. */
export type Mark =
  /** A call ran at an instant, or was refused or dropped. */
  | { readonly kind: 'run' | 'refused'; readonly text: string; readonly at: number }
  /** A call was queued, then ran or was refused. */
  | {
      readonly kind: 'wait'
      readonly text: string
      readonly from: number
      to: number
      end: 'run' | 'refused' | undefined
    }
  /** A task was in flight. */
  | {
      readonly kind: 'task'
      readonly text: string
      readonly from: number
      to: number
      end: 'done' | 'aborted' | 'failed' | undefined
    }
  /** The lane was in a named state, or a run was pending. */
  | { readonly kind: 'state' | 'pending'; readonly text: string; readonly from: number; to: number }

/** Records the marks of a lane. */
export interface Log {
  run: (text: string) => void
  refused: (text: string) => void
  /** Records that a call is queued. Call the returned function at its end. */
  wait: (text: string) => (end: 'run' | 'refused') => void
  /** Records the start of a task. Call the returned function at its end. */
  task: (text: string) => (end: 'done' | 'aborted' | 'failed') => void
  /** Records a change of the state. */
  state: (text: string) => void
}

/** The function or object of the library that a lane shows. */
interface Subject {
  /** Handles a call of the script. */
  call: (text: string) => void
  /** Read each ms, for the pending bar. */
  isPending?: () => boolean
  /** Called each ms, to record changes that have no event. */
  look?: () => void
}

export interface Lane {
  readonly name: string
  readonly make: (clock: ManualClock, log: Log) => Subject
}

export interface Timing {
  readonly title: string
  readonly endMs: number
  /** The name of the row of calls. */
  readonly callsName?: string
  readonly calls: readonly Call[]
  readonly lanes: readonly Lane[]
}

/** Calls named A, B, C … at these instants. */
export const lettered = (...instants: number[]): Call[] =>
  instants.map((at, index) => ({ at, text: String.fromCharCode(65 + index) }))
