import { debounce, systemClock } from 'lull/core'
import { parseRetryAfter } from 'lull/fetch'
import { runners, type Runner } from './runners.ts'

/** The debounce wait of both lanes, in ms. */
const WAIT_MS = 300

interface RaceRequest {
  /** In ms since the start. */
  readonly at: number
  readonly outcome: 'sent' | 'ok' | 'refused' | 'aborted' | 'failed'
}

export interface LaneState {
  readonly runner: Runner
  readonly keystrokes: readonly number[]
  readonly requests: readonly RaceRequest[]
  /** The pauses that the server asked for, in ms since the start. Each ends with the first request that succeeds. */
  readonly pauses: readonly { readonly from: number; readonly to: number }[]
  readonly text: string
  /** The query of the last received results. */
  readonly shown: string
  /** When the results of the last search arrived, in ms since the start. */
  readonly finishedAt: number | undefined
  readonly gaveUp: boolean
}

export interface Lane extends Disposable {
  type: (text: string) => void
  state: () => LaneState
}

interface LaneOptions {
  runner: Runner
  /** The client ID. The server has a limit for each. */
  client: string
  /** The final text. */
  last: string
  startedAt: number
  onChange: () => void
}

export const emptyLane = (runner: Runner): LaneState => ({
  runner,
  keystrokes: [],
  requests: [],
  pauses: [],
  text: '',
  shown: '',
  finishedAt: undefined,
  gaveUp: false,
})

/** A debounced search, sent by `runner`. Requests are counted below the runner, so retries count too. */
export function createLane({ runner, client, last, startedAt, onChange }: LaneOptions): Lane {
  let state = emptyLane(runner)
  let search: AbortController | undefined
  const controller = new AbortController()
  const now = () => systemClock.now() - startedAt
  const sender = runners[runner](countedFetch)

  function change(changes: Partial<LaneState>): void {
    if (controller.signal.aborted) return
    state = { ...state, ...changes }
    onChange()
  }

  async function countedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const at = now()
    const index = state.requests.length
    const end = (outcome: RaceRequest['outcome'], pauses = state.pauses) =>
      change({ pauses, requests: state.requests.with(index, { at, outcome }) })

    change({ requests: [...state.requests, { at, outcome: 'sent' }] })
    try {
      const response = await globalThis.fetch(input, init)
      if (response.status === 429) {
        const from = now()
        const to = from + (parseRetryAfter(response.headers.get('Retry-After')) ?? 0)
        end('refused', [...state.pauses, { from, to }])
      } else if (response.ok) end('ok', endedBy(at, state.pauses))
      else end('failed')
      return response
    } catch (error) {
      end(isAbort(error) ? 'aborted' : 'failed')
      throw error
    }
  }

  async function sendSearch(text: string): Promise<void> {
    search?.abort()
    search = new AbortController()
    const { signal } = search
    const path = `/api/search?${new URLSearchParams({ q: text, client }).toString()}`
    try {
      await sender.send(new URL(path, location.href).href, signal)
      if (!signal.aborted) change({ shown: text, ...(text === last && { finishedAt: now() }) })
    } catch {
      // If the search was not aborted, its retries are used up.
      if (!signal.aborted && text === last) change({ gaveUp: true })
    }
  }

  const debounced = debounce((text: string) => void sendSearch(text), WAIT_MS, { signal: controller.signal })

  return {
    type(text) {
      change({ text, keystrokes: [...state.keystrokes, now()] })
      debounced(text)
    },
    state: () => state,
    [Symbol.dispose]() {
      controller.abort()
      search?.abort()
      sender[Symbol.dispose]()
    },
  }
}

/** The server names whole seconds, so its own pause ends earlier: before the request that it answers. */
export const endedBy = (at: number, pauses: LaneState['pauses']): LaneState['pauses'] =>
  pauses.map(({ from, to }) => ({ from, to: from < at ? Math.min(to, at) : to }))

// axios aborts with an error of its own.
const isAbort = (error: unknown) => error instanceof Error && /^(Abort|Canceled)Error$/.test(error.name)

export interface LaneCounts {
  readonly requests: number
  readonly refused: number
  /** How many of those were sent during a pause. */
  readonly intoPause: number
  readonly answered: number
  readonly cancelled: number
}

export function countsOf({ requests, pauses }: LaneState): LaneCounts {
  const count = (outcome: RaceRequest['outcome']) =>
    requests.filter((each) => each.outcome === outcome).length
  return {
    requests: requests.length,
    refused: count('refused'),
    intoPause: requests.filter(
      ({ at, outcome }) => outcome === 'refused' && pauses.some(({ from, to }) => from < at && at < to),
    ).length,
    answered: count('ok'),
    cancelled: count('aborted'),
  }
}
