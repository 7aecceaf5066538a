import type { Colors } from '../strips/colors.ts'
import type { TimelineModel } from './timeline-model.ts'
import type { Plot, Scale } from './timeline-scale.ts'

/** What there is to paint, and where: all lengths are pixels of the page. */
export interface Scene {
  readonly canvas: CanvasRenderingContext2D
  readonly model: TimelineModel
  readonly now: number
  readonly plot: Plot
  readonly scale: Scale
  readonly colors: Colors
  readonly font: string
}
