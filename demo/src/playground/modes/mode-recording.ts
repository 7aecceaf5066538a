import type { DemoTime } from '../../time/demo-time.ts'
import { createModeBench, type ModeBench } from './mode-bench.ts'
import { laneNames, type LaneName, type ModeTiming } from './mode-lanes.ts'

export interface ModeTally {
  /** Where the playhead is, and where the recording ends, in ms. */
  readonly at: number
  readonly end: number
  readonly events: number
  readonly runs: Readonly<Record<LaneName, number>>
  readonly isFull: boolean
}

/** Events as they came, and a playhead that can be put anywhere: what the lanes make of them is made anew from them. */
export interface ModeRecording {
  /** An event where the playhead is. */
  add: () => void
  /** Events so long after the playhead each, in ms, in their order. */
  addAll: (offsets: readonly number[]) => void
  /** Puts the playhead to `at`, where it stays. */
  seek: (at: number) => void
  /** Plays all from the start. */
  replay: () => void
  clear: () => void
  /** Hears the same events with another timing. */
  retime: (timing: ModeTiming) => void
  /** Goes on to the present of its time. */
  advance: () => void
  isMoving: () => boolean
  events: () => readonly number[]
  bench: () => ModeBench
  tally: () => ModeTally
  subscribe: (listener: () => void) => () => void
}

/** More are not taken: seeking back runs through all of them. */
const MAX_EVENTS = 20_000
/** How long is shown after all has come to rest. */
const REST_MS = 700

export function createModeRecording(time: DemoTime, timing: ModeTiming): ModeRecording {
  const listeners = new Set<() => void>()
  let events: number[] = []
  let bench = createModeBench(events, timing)
  /** The playhead was at `at` when it was `since` by the time; it stands when there is no `since`. */
  let at = 0
  let since: number | undefined
  let tally: ModeTally | undefined

  const end = (): number =>
    events.length === 0 ? 0 : events.at(-1)! + Math.max(timing.wait, timing.maxWait) + REST_MS

  function changed(): void {
    tally = undefined
    for (const listener of listeners) listener()
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
      // In place, for the bench reads on. Those that it has read are no later than the playhead.
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
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
