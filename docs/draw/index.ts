import { callDiagrams } from './call-diagrams.ts'
import { debounceDiagrams } from './debounce-diagrams.ts'
import { drawLevel } from './draw-level.ts'
import { drawTiming } from './draw-timing.ts'
import { fetchDiagrams } from './fetch-diagrams.ts'
import { hookDiagrams } from './hook-diagrams.ts'
import { drawLegend } from './legend.ts'
import { limitDiagrams } from './limit-diagrams.ts'
import { ruleDiagrams } from './rule-diagrams.ts'
import type { Timing } from './timing.ts'

const timings: Record<string, Timing> = {
  ...debounceDiagrams,
  ...callDiagrams,
  ...limitDiagrams,
  ...hookDiagrams,
  ...fetchDiagrams,
}

/** Every drawing of the documentation, by file name. */
export async function drawAll(): Promise<Map<string, string>> {
  const drawings = new Map([['legend.svg', drawLegend()]])
  for (const [name, timing] of Object.entries(timings)) drawings.set(`${name}.svg`, await drawTiming(timing))
  for (const [name, diagram] of Object.entries(ruleDiagrams)) drawings.set(`${name}.svg`, drawLevel(diagram))
  return drawings
}
