import type { ManualClock } from 'lull/testing'

/** A call of the script: what is called, at which instant in ms. */
export interface Call {
  readonly text: string
  readonly at: number
}

/** What one lane shows. Instants are those of the manual clock, in ms. */
export type Mark =
  /** Something happened at an instant: it ran, or it was refused (or dropped). */
  | { readonly kind: 'run' | 'refused'; readonly text: string; readonly at: number }
  /** A call stood in line, and then ran or was refused. */
  | {
      readonly kind: 'wait'
      readonly text: string
      readonly from: number
      to: number
      end: 'run' | 'refused' | undefined
    }
  /** A task was at work. */
  | {
      readonly kind: 'task'
      readonly text: string
      readonly from: number
      to: number
      end: 'done' | 'aborted' | 'failed' | undefined
    }
  /** The whole was in a state that has a name, or a run of it was due. */
  | { readonly kind: 'state' | 'pending'; readonly text: string; readonly from: number; to: number }

/** Where a lane notes what it sees. */
export interface Log {
  run: (text: string) => void
  refused: (text: string) => void
  /** A call begins to stand in line; the function returned says how that ended. */
  wait: (text: string) => (end: 'run' | 'refused') => void
  /** A task begins; the function returned says how it ended. */
  task: (text: string) => (end: 'done' | 'aborted' | 'failed') => void
  /** From now on it is in this state. */
  state: (text: string) => void
}

/** The real thing, made for one lane. */
interface Subject {
  /** What a call of the script does. */
  call: (text: string) => void
  /** Looked at each ms, for the bar that says that a run is due. */
  isPending?: () => boolean
  /** Called each ms, for what has to be looked at to be noted. */
  look?: () => void
}

export interface Lane {
  readonly name: string
  readonly make: (clock: ManualClock, log: Log) => Subject
}

export interface Timing {
  readonly title: string
  readonly endMs: number
  /** What the row of calls is called. */
  readonly callsName?: string
  readonly calls: readonly Call[]
  readonly lanes: readonly Lane[]
}

/** Calls named A, B, C … at these instants. */
export const lettered = (...instants: number[]): Call[] =>
  instants.map((at, index) => ({ at, text: String.fromCharCode(65 + index) }))
