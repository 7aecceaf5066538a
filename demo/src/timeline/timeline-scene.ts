import type { Colors } from '../strips/colors.ts'
import type { TimelineModel } from './timeline-model.ts'
import type { Plot, Scale } from './timeline-scale.ts'

/** The data and the canvas for painting. All lengths are in CSS pixels. */
export interface Scene {
  readonly canvas: CanvasRenderingContext2D
  readonly model: TimelineModel
  readonly now: number
  readonly plot: Plot
  readonly scale: Scale
  readonly colors: Colors
  readonly font: string
}
