import type { Clock, Limiter } from 'lull/core'

/** What one rule makes of requests, and how its state is shown. */
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
  /** What is drawn of a level; the level itself if absent. */
  readonly shown?: (level: number) => number
  /** The most that can be shown. */
  readonly most: number
  /** What stands behind that number. */
  readonly unit?: string
  /** A line that says something. */
  readonly bound?: number
  /** Lines that divide time, each so many ms. */
  readonly windowMs?: number
}

/** The level before the request at an instant, and after it. */
export interface LevelStep {
  readonly at: number
  readonly before: number
  readonly after: number
}

export interface LevelAnswer {
  readonly at: number
  readonly isAllowed: boolean
}
