import type uPlot from 'uplot'
import type { Colors } from '../strips/colors.ts'
import { FUTURE_MS, LANE_UNITS, laneNames, lanes, PAST_MS } from './timeline-scale.ts'

interface Parts {
  width: number
  height: number
  font: string
  colors: () => Colors
  hooks: uPlot.Hooks.Arrays
}

const middles = laneNames.map((name) => LANE_UNITS - lanes[name].top - lanes[name].height / 2)

/** The options of an empty plot with axes and a cursor: x is the time relative to now, y are the lanes. */
export function timelineOptions({ width, height, font, colors, hooks }: Parts): uPlot.Options {
  const text = { font: `11px ${font}`, stroke: () => colors().soft, ticks: { show: false } }
  return {
    width,
    height,
    padding: [4, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-PAST_MS / 1000, FUTURE_MS / 1000] },
      y: { range: [0, LANE_UNITS] },
    },
    series: [{}, { scale: 'y' }],
    axes: [
      {
        ...text,
        size: 24,
        gap: 4,
        incrs: [3],
        // Less than the distance of two labels on a phone; otherwise uPlot would draw none.
        space: 30,
        grid: { stroke: () => colors().line, width: 1 },
        values: (_, splits) => splits.map(relativeTime),
      },
      {
        ...text,
        size: 78,
        gap: 8,
        grid: { show: false },
        splits: () => middles,
        values: () => laneNames.map((name) => lanes[name].label),
      },
    ],
    hooks,
  }
}

function relativeTime(seconds: number): string {
  if (seconds === 0) return 'now'
  return seconds < 0 ? `−${-seconds} s` : `+${seconds} s`
}
