import type { Picture } from '../../strips/draw-strips.ts'
import { paintSeconds } from '../../strips/paint-axis.ts'
import { densest, paintBase, paintTicks } from '../../strips/paint-ticks.ts'
import type { Strip } from '../../strips/strip.ts'
import { laneNames, type LaneName } from './mode-lanes.ts'
import type { ModeRecording } from './mode-recording.ts'

/** The time shown before and after the playhead, in ms. */
const BEFORE_MS = 5500
const AFTER_MS = 500

const FUTURE_ALPHA = 0.3

/** The events, a row for each lane, and the axis. */
export function modesPicture(recording: ModeRecording, isWhole: () => boolean): Picture {
  function paintEvents(strip: Strip): void {
    const { canvas, colors, now } = strip
    const events = recording.events()
    canvas.globalAlpha = FUTURE_ALPHA
    paintTicks(strip, events, colors.keystroke)
    canvas.globalAlpha = 1
    paintTicks(strip, events, colors.keystroke, now)
    paintDensity(strip, densest(strip, events))
    paintPlayhead(strip)
  }

  const paintLane = (name: LaneName) => (strip: Strip) => {
    const { colors, now } = strip
    paintBase(strip)
    const runs = recording.bench().runs[name]
    const color = name === 'throttle' || name === 'frame' ? colors.throttled : colors.debounced
    paintTicks(strip, runs, color, now)
    paintDensity(strip, densest(strip, runs))
    paintPlayhead(strip)
  }

  return {
    view() {
      recording.advance()
      const { at, end } = recording.tally()
      return isWhole()
        ? { from: 0, to: Math.max(end, BEFORE_MS), now: at }
        : { from: Math.max(at - BEFORE_MS, 0), to: Math.max(at, BEFORE_MS) + AFTER_MS, now: at }
    },
    painters: () => [paintEvents, ...laneNames.map(paintLane), paintSeconds],
    isMoving: recording.isMoving,
    subscribe: recording.subscribe,
  }
}

/** Labels the tallest mark with its number of instants, if above 1. */
function paintDensity({ canvas, colors, right, height }: Strip, most: number): void {
  if (most < 2) return
  canvas.fillStyle = colors.soft
  canvas.textAlign = 'left'
  canvas.fillText(`×${most}`, right + 6, height / 2)
}

function paintPlayhead({ canvas, colors, now, height, x }: Strip): void {
  canvas.fillStyle = colors.accent
  canvas.fillRect(Math.round(x(now)), 0, 1, height)
}
