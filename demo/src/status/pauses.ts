import type { FetchEvent, WaitSource } from 'lull/fetch'

/** How long a gate was closed, and why. */
export interface Pause {
  readonly key: string
  /** The instant of the clock at which it closed. */
  readonly at: number
  readonly ms: number
  /** How much of it was left when it was last extended. */
  readonly restMs: number
  /** How much of that the server asked for, if it did; the rest is jitter. */
  readonly saidMs: number | undefined
  readonly source: WaitSource
  /** Whether the pause follows a refusal without a delay. */
  readonly isSilent: boolean
}

type Closing = Extract<FetchEvent, { type: 'gate-closed' | 'gate-extended' }>

const MOST_KEPT = 4

/** Adds a pause to `pauses`, newest first, or extends the last pause of the gate if it has not ended. */
export function addToPauses(
  pauses: readonly Pause[],
  closing: Closing,
  { saidMs, isSilent }: Pick<Pause, 'saidMs' | 'isSilent'>,
): readonly Pause[] {
  const { key, until, ms: restMs, source } = closing
  const last = pauses.find((pause) => pause.key === key && closing.at < pause.at + pause.ms)
  const at = last?.at ?? closing.at
  const pause: Pause = { key, at, ms: until - at, restMs, saidMs, source, isSilent }
  return last ? pauses.map((each) => (each === last ? pause : each)) : [pause, ...pauses].slice(0, MOST_KEPT)
}
