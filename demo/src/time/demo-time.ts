import { systemClock, type Clock } from 'lull/core'
import { createManualClock } from 'lull/testing'
import { createListeners } from '../listeners.ts'

/** The selectable speeds, as multiples of real time. */
export const speeds = [1, 0.5, 0.25, 0.1] as const

interface TimeState {
  readonly speed: number
  readonly isPlaying: boolean
}

/** The time of the panels: it can be slowed down, paused, or stepped. */
export interface DemoTime {
  /** A manual clock. Only `catchUp` and `step` move it, so simultaneous events have the same instant. */
  readonly clock: Clock
  /** Advances to the current instant. Call it before handling an event, so that earlier timers run first. */
  catchUp: () => void
  setSpeed: (speed: number) => void
  setPlaying: (isPlaying: boolean) => void
  /** Advances by `ms`, also while paused. */
  step: (ms: number) => void
  /** The same object until it changes. */
  state: () => TimeState
  /** Calls `listener` when the state changes or time is stepped. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
}

/** The maximum real time that passes in one `catchUp`, in ms: time pauses while the page is hidden. */
const MOST_MS = 1000

export function createDemoTime(source: Clock = systemClock): DemoTime {
  const manual = createManualClock()
  const { notify, subscribe } = createListeners()
  let state: TimeState = { speed: 1, isPlaying: true }
  let caughtUpAt = source.now()
  let isMoving = false
  let cancelFrame: (() => void) | undefined

  function move(ms: number): void {
    // A callback may call `catchUp`: the time is already current.
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

  /** Requests frames while timers are pending. */
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
    notify()
  }

  /**
   * Catches up before a timer starts outside of an event. While nothing is pending, this runs no callback.
   */
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
      notify()
    },
    state: () => state,
    subscribe,
  }
}
