import type { Clock, Limiter } from 'lull/core'

/** The same requests for one or more rules, with a panel for each rule. */
export interface LevelDiagram {
  readonly title: string
  readonly endMs: number
  /** Instants, in ms. */
  readonly requests: readonly number[]
  readonly panels: readonly LevelPanel[]
}

export interface LevelPanel {
  readonly name: string
  readonly make: (clock: Clock) => Limiter<never>
  /** Maps a level to the drawn value. @default the identity function */
  readonly shown?: (level: number) => number
  /** The maximum of the axis. */
  readonly most: number
  /** The unit after that number. */
  readonly unit?: string
  /** A value marked by a horizontal line. */
  readonly bound?: number
  /** The interval of the vertical lines, in ms. */
  readonly windowMs?: number
}

/** The level before and after the requests of an instant. */
export interface LevelStep {
  readonly at: number
  readonly before: number
  readonly after: number
}

export interface LevelDecision {
  readonly at: number
  readonly isAllowed: boolean
}
