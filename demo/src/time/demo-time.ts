import { systemClock, type Clock } from 'lull/core'
import { createManualClock } from 'lull/testing'

/** How fast time may go, as shares of the real speed. */
export const speeds = [1, 0.5, 0.25, 0.1] as const

interface TimeState {
  readonly speed: number
  readonly isPlaying: boolean
}

/** A time for the panels, which goes slower than the real one, stands still, or is stepped. */
export interface DemoTime {
  /** The library's manual clock. It moves in `catchUp` and `step` only, so that whatever happens at once has one instant. */
  readonly clock: Clock
  /** Moves on to the instant that it is by now. Events are to be preceded by it, as what is due before them comes first. */
  catchUp: () => void
  setSpeed: (speed: number) => void
  setPlaying: (isPlaying: boolean) => void
  /** Moves `ms` on, also while it stands still. */
  step: (ms: number) => void
  /** The same object until it changes. */
  state: () => TimeState
  /** Calls `listener` when the state changes, or time is stepped; the function returned ends that. */
  subscribe: (listener: () => void) => () => void
}

/** So much real time passes at once at most, in ms: for a page that was hidden it has stood still. */
const MOST_MS = 1000

export function createDemoTime(source: Clock = systemClock): DemoTime {
  const manual = createManualClock()
  const listeners = new Set<() => void>()
  let state: TimeState = { speed: 1, isPlaying: true }
  let caughtUpAt = source.now()
  let isMoving = false
  let cancelFrame: (() => void) | undefined

  function move(ms: number): void {
    // What is called back may ask for the time to be caught up: it is.
    if (isMoving) return
    isMoving = true
    try {
      manual.advance(ms)
    } finally {
      isMoving = false
      keepGoing()
    }
  }

  function catchUp(): void {
    const now = source.now()
    const ms = Math.min(now - caughtUpAt, MOST_MS) * state.speed
    caughtUpAt = now
    if (state.isPlaying && ms > 0) move(ms)
  }

  /** There are frames for as long as anything is due. */
  function keepGoing(): void {
    if (cancelFrame || !state.isPlaying || manual.pending === 0) return
    cancelFrame = source.frame?.(() => {
      cancelFrame = undefined
      catchUp()
      keepGoing()
    })
  }

  function change(next: Partial<TimeState>): void {
    catchUp()
    state = { ...state, ...next }
    keepGoing()
    tell()
  }

  function tell(): void {
    for (const listener of listeners) listener()
  }

  /** What nobody has announced, as an observer does not, comes now too: while nothing is due, that calls nothing back. */
  function begin(wait: () => () => void): () => void {
    if (manual.pending === 0) catchUp()
    const cancel = wait()
    keepGoing()
    return cancel
  }

  return {
    clock: {
      ...manual,
      after: (delayMs, callback) => begin(() => manual.after(delayMs, callback)),
      frame: (callback) => begin(() => manual.frame(callback)),
    },
    catchUp,
    setSpeed: (speed) => change({ speed }),
    setPlaying: (isPlaying) => change({ isPlaying }),
    step(ms) {
      catchUp()
      move(ms)
      tell()
    },
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
