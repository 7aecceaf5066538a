/** The time shown before and after now, in ms. */
export const PAST_MS = 12_000
export const FUTURE_MS = 3_000

export const laneNames = ['keystroke', 'debounced', 'throttled', 'request', 'gate', 'window'] as const
export type LaneName = (typeof laneNames)[number]

export interface Lane {
  label: string
  /** The upper edge and the height, in units; the chart is `LANE_UNITS` high. */
  top: number
  height: number
}

export const lanes: Record<LaneName, Lane> = {
  keystroke: { label: 'Keystrokes', top: 0, height: 1 },
  debounced: { label: 'Debounced', top: 1, height: 1 },
  throttled: { label: 'Throttled', top: 2, height: 1 },
  request: { label: 'Requests', top: 3, height: 2.4 },
  gate: { label: 'Paused until', top: 5.4, height: 0.9 },
  window: { label: 'In parallel', top: 6.3, height: 1.5 },
}
export const LANE_UNITS = 7.8

/** Calls take turns on these rows, so that the labels of neighbours do not overlap. */
const REQUEST_ROWS = 3

/** The position of the lanes. */
export interface Plot {
  left: number
  top: number
  width: number
  height: number
}

export interface Scale {
  x: (at: number) => number
  /** The position of `units` from the top. */
  y: (units: number) => number
}

export function createScale({ left, top, width, height }: Plot, now: number): Scale {
  return {
    x: (at) => left + ((at - now + PAST_MS) / (PAST_MS + FUTURE_MS)) * width,
    y: (units) => top + (units / LANE_UNITS) * height,
  }
}

/** The middle of the row of `call`, a number that starts at 1, in units. */
export function rowOf(call: number): number {
  const { top, height } = lanes.request
  return top + (height * (((call - 1) % REQUEST_ROWS) + 0.5)) / REQUEST_ROWS
}
