import type { DemoTime } from '../../time/demo-time.ts'
import { createListeners } from '../../listeners.ts'
import { createModeBench, type ModeBench } from './mode-bench.ts'
import { laneNames, type LaneName, type ModeTiming } from './mode-lanes.ts'

export interface ModeTally {
  /** The playhead position and the end of the recording, in ms. */
  readonly at: number
  readonly end: number
  readonly events: number
  readonly runs: Readonly<Record<LaneName, number>>
  readonly isFull: boolean
}

/** Recorded events, and a playhead that can seek. The runs of the lanes are recomputed from the events. */
export interface ModeRecording {
  /** Adds an event at the playhead. */
  add: () => void
  /** Adds events at `offsets` from the playhead, in ms, in order. */
  addAll: (offsets: readonly number[]) => void
  /** Moves the playhead to `at` and stops there. */
  seek: (at: number) => void
  /** Plays the recording from the start. */
  replay: () => void
  clear: () => void
  /** Recomputes the runs with another timing. */
  retime: (timing: ModeTiming) => void
  /** Advances to the current time. */
  advance: () => void
  isMoving: () => boolean
  events: () => readonly number[]
  bench: () => ModeBench
  tally: () => ModeTally
  subscribe: (listener: () => void) => () => void
}

/** Further events are dropped, because seeking back replays all of them. */
const MAX_EVENTS = 20_000
/** The time shown after the last run, in ms. */
const REST_MS = 700

export function createModeRecording(time: DemoTime, timing: ModeTiming): ModeRecording {
  const { notify, subscribe } = createListeners()
  let events: number[] = []
  let bench = createModeBench(events, timing)
  /** The playhead was at `at` when the clock read `since`; it is stopped if `since` is undefined. */
  let at = 0
  let since: number | undefined
  let tally: ModeTally | undefined

  const end = (): number =>
    events.length === 0 ? 0 : events.at(-1)! + Math.max(timing.wait, timing.maxWait) + REST_MS

  function changed(): void {
    tally = undefined
    notify()
  }

  function advance(): void {
    if (since === undefined) return
    const now = time.clock.now()
    const next = Math.min(at + now - since, end())
    since = next < end() ? now : undefined
    if (next === at) return
    at = next
    bench.goTo(at)
    changed()
  }

  function play(): void {
    since = time.clock.now()
    changed()
  }

  function putTo(next: number): void {
    if (next < at) bench = createModeBench(events, timing)
    at = next
    bench.goTo(at)
  }

  function insert(instants: readonly number[]): void {
    advance()
    const room = MAX_EVENTS - events.length
    if (room > 0) {
      const added = instants.slice(0, room)
      // In place, because the bench keeps the array. Events that it has processed are not after the playhead.
      const later = events.splice(bench.given())
      for (const instant of [...added, ...later].sort((a, b) => a - b)) events.push(instant)
      bench.goTo(at)
    }
    play()
  }

  return {
    add: () => insert([at]),
    addAll: (offsets) => insert(offsets.map((offset) => at + offset)),
    seek(next) {
      since = undefined
      putTo(Math.min(Math.max(next, 0), end()))
      changed()
    },
    replay() {
      putTo(0)
      play()
    },
    clear() {
      events = []
      bench = createModeBench(events, timing)
      at = 0
      since = undefined
      changed()
    },
    retime(next) {
      advance()
      const isAtEnd = at >= end()
      timing = next
      bench = createModeBench(events, timing)
      at = isAtEnd ? end() : Math.min(at, end())
      bench.goTo(at)
      changed()
    },
    advance,
    isMoving: () => since !== undefined,
    events: () => events,
    bench: () => bench,
    tally: () =>
      (tally ??= {
        at,
        end: end(),
        events: bench.given(),
        runs: Object.fromEntries(
          laneNames.map((name) => [name, bench.runs[name].length]),
        ) as ModeTally['runs'],
        isFull: events.length >= MAX_EVENTS,
      }),
    subscribe,
  }
}
