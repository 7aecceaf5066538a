import type { Picture } from '../../strips/draw-strips.ts'
import { paintAgo } from '../../strips/paint-axis.ts'
import { paintLane } from '../../strips/paint-ticks.ts'
import { clipped, type Strip } from '../../strips/strip.ts'
import type { DemoTime } from '../../time/demo-time.ts'
import { PAST_MS, type AdaptiveTrial } from './adaptive-trial.ts'

/** Possible upper ends of the axis, in calls per second. */
const ENDS = [10, 20, 30, 50, 75, 100]
const TOP = 7

/** The rates, the calls by outcome, and the axis. */
export function adaptivePicture(trial: AdaptiveTrial, { clock }: DemoTime): Picture {
  const { log } = trial
  return {
    view() {
      const now = clock.now()
      return { from: now - PAST_MS, to: now, now }
    },
    painters: () => [
      (strip) => paintRates(strip, trial),
      (strip) => paintLane(strip, log.instants('served'), strip.colors.ok),
      (strip) => paintLane(strip, log.instants('refused'), strip.colors.refused),
      (strip) => paintLane(strip, log.instants('held'), strip.colors.waiting),
      paintAgo,
    ],
    isMoving: () => log.lastAt() > clock.now() - PAST_MS,
    subscribe: log.subscribe,
  }
}

function paintRates(strip: Strip, trial: AdaptiveTrial): void {
  const { canvas, colors, left, right, height, x } = strip
  const floor = height - TOP
  const samples = trial.samples()
  const limit = trial.limit()
  const last = samples.at(-1)
  const highest = samples.reduce((top, { rate, limit }) => Math.max(top, rate, limit), limit)
  const most = ENDS.find((end) => end >= highest * 1.1) ?? 100
  const y = (rate: number) => floor - (rate / most) * (floor - TOP)

  canvas.fillStyle = colors.line
  for (const rate of [0, most]) canvas.fillRect(left, Math.round(y(rate)), right - left, 1)
  canvas.fillStyle = colors.soft
  canvas.textAlign = 'right'
  for (const rate of [0, most]) canvas.fillText(String(rate), left - 3, y(rate))
  clipped(strip, 1, () => {
    canvas.strokeStyle = colors.soft
    canvas.lineWidth = 1.5
    canvas.setLineDash([4, 4])
    canvas.beginPath()
    canvas.moveTo(left, y(samples[0]?.limit ?? limit))
    for (const { at, limit } of samples) canvas.lineTo(x(at), y(limit))
    // The limit may have changed since the last sample.
    if (last) canvas.lineTo(x(last.at), y(limit))
    canvas.lineTo(right, y(limit))
    canvas.stroke()
    canvas.setLineDash([])
    canvas.strokeStyle = colors.accent
    canvas.lineWidth = 2
    canvas.beginPath()
    for (const { at, rate } of samples) canvas.lineTo(x(at), y(rate))
    canvas.stroke()
  })
  if (!last) return
  canvas.textAlign = 'left'
  canvas.fillStyle = colors.accent
  canvas.fillText(last.rate.toFixed(1), right + 6, y(last.rate))
}
