import { systemClock } from 'lull/core'
import type { Settings } from '../../server/api.ts'
import { callServer } from '../server/call-server.ts'
import { createListeners } from '../listeners.ts'
import { createLane, emptyLane, type Lane, type LaneState } from './race-lane.ts'
import { raceStream } from './race-stream.ts'
import type { Rival } from './runners.ts'

/** The limit of each lane: two searches at once, then one in 4 s. */
const serverSettings: Partial<Settings> = {
  ratePerSecond: 0.25,
  burst: 2,
  delayMs: 120,
  headers: 'retry-after',
}
/** A run is stopped after this time, in ms. */
const LONGEST_MS = 30_000

export interface RaceState {
  readonly status: 'ready' | 'running' | 'done' | 'stopped' | 'unreachable'
  readonly rival: Rival
  /** The rival, then lull. */
  readonly lanes: readonly [LaneState, LaneState]
  /** The start instant of the clock. */
  readonly startedAt: number
}

/** The same keystrokes in two lanes, against the same server with the same limit for each. */
export interface Race extends Disposable {
  /** Starts, or restarts. */
  start: (rival: Rival, seed: number) => void
  stop: () => void
  /** Stops, and clears both lanes for a race against `rival`. */
  choose: (rival: Rival) => void
  /** The same object until it changes. */
  state: () => RaceState
  subscribe: (listener: () => void) => () => void
}

/** @param client the client ID sent to the server. */
export function createRace(client: string): Race {
  const { notify, subscribe } = createListeners()
  let state: RaceState = {
    status: 'ready',
    ...emptyLanes('retry'),
    startedAt: 0,
  }
  let run: Cleanup | undefined
  let runs = 0

  function change(changes: Partial<RaceState>): void {
    state = { ...state, ...changes }
    notify()
  }

  function end(status: RaceState['status'], changes?: Partial<RaceState>): void {
    run?.dispose()
    run = undefined
    change({ status, ...changes })
  }

  async function start(rival: Rival, seed: number): Promise<void> {
    run?.dispose()
    const mine = (run = createCleanup())
    runs++
    const clients = [rival, 'lull'].map((runner) => `${client}-race-${runs}-${runner}`)
    change({ status: 'running', ...emptyLanes(rival) })
    try {
      await Promise.all(clients.map(limit))
    } catch {
      if (run === mine) end('unreachable')
      return
    }
    if (run !== mine) return
    const keys = raceStream(seed)
    const startedAt = systemClock.now()
    const options = { last: keys.at(-1)!.text, startedAt, onChange: update }
    const lanes: readonly [Lane, Lane] = [
      createLane({ runner: rival, client: clients[0]!, ...options }),
      createLane({ runner: 'lull', client: clients[1]!, ...options }),
    ]
    for (const lane of lanes) mine.defer(() => lane[Symbol.dispose]())
    change({ startedAt })

    function update(): void {
      const [a, b] = [lanes[0].state(), lanes[1].state()]
      change({ lanes: [a, b] })
      if (isOver(a) && isOver(b)) end('done')
    }

    for (const { at, text } of keys)
      mine.defer(systemClock.after(at, () => lanes.forEach((lane) => lane.type(text))))
    mine.defer(systemClock.after(LONGEST_MS, () => end('done')))
  }

  return {
    start: (rival, seed) => void start(rival, seed),
    stop() {
      if (state.status === 'running') end('stopped')
    },
    choose: (rival) => end('ready', emptyLanes(rival)),
    state: () => state,
    subscribe,
    [Symbol.dispose]() {
      run?.dispose()
      run = undefined
    },
  }
}

const emptyLanes = (rival: Rival): Pick<RaceState, 'rival' | 'lanes'> => ({
  rival,
  lanes: [emptyLane(rival), emptyLane('lull')],
})

const isOver = ({ finishedAt, gaveUp }: LaneState) => gaveUp || finishedAt !== undefined

const limit = (client: string) =>
  callServer(`/api/settings?client=${client}`, { method: 'PUT', body: JSON.stringify(serverSettings) })

interface Cleanup {
  defer: (callback: () => void) => void
  dispose: () => void
}

/** Collects cleanup functions. Safari has no `DisposableStack`. */
function createCleanup(): Cleanup {
  const callbacks: (() => void)[] = []
  return {
    defer: (callback) => void callbacks.push(callback),
    dispose: () => callbacks.splice(0).forEach((callback) => callback()),
  }
}
