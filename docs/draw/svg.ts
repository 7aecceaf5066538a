/** The width of every drawing, in SVG units. Narrow enough to keep the text readable on a phone. */
const WIDTH = 640
const SIDE = 24

export const round = (number: number): number => Math.round(number * 10) / 10

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** An element with optional content. */
export function element(name: string, attributes: Record<string, string | number>, content = ''): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : escape(value)}"`,
  )
  return `<${name}${written.join('')}${content ? `>${content}</${name}>` : '/>'}`
}

export const text = (x: number, y: number, className: string, content: string): string =>
  element('text', { x, y, class: className }, escape(content))

/** Maps an instant to its x position. */
export const scaleOf =
  (endMs: number): ((at: number) => number) =>
  (at) =>
    SIDE + (at / endMs) * (WIDTH - 2 * SIDE)

/** The time axis at the height `y`, with about six labels. */
export function axis(endMs: number, y: number): string {
  const x = scaleOf(endMs)
  const step = [10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000].find((ms) => endMs / ms <= 7) ?? 10_000
  const parts = [element('path', { d: `M${x(0)} ${y}H${x(endMs)}`, class: 'axis' })]
  for (let at = 0; at <= endMs; at += step) {
    parts.push(element('path', { d: `M${round(x(at))} ${y}v6`, class: 'axis' }))
    // Labels at the ends are aligned inwards.
    const className = at === 0 ? 'tick first' : at === endMs ? 'tick last' : 'tick'
    parts.push(text(x(at), y + 23, className, at === 0 ? '0 ms' : `${at}`))
  }
  return parts.join('\n')
}

/** Shapes carry all information; colours only repeat it. */
const style = `
svg { --ground: #ffffff; --edge: #d1d9e0; --ink: #1f2328; --faint: #59636e; --line: #d1d9e0; --run: #0a5cc2; --on: #ffffff;
  --due: #b8770b; --no: #c21f2c; --area: #0a5cc222 }
@media (prefers-color-scheme: dark) {
  svg { --ground: #161b22; --edge: #3d444d; --ink: #f0f6fc; --faint: #9aa4ae; --line: #3d444d; --run: #6cb0ff; --on: #0d1117;
    --due: #e3b341; --no: #ff8a80; --area: #6cb0ff2a }
}
text { font: 17px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: var(--ink); text-anchor: middle }
.name { text-anchor: start; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 17px;
  paint-order: stroke; stroke: var(--ground); stroke-width: 6px; stroke-linejoin: round }
.tick { font-size: 16px; fill: var(--faint) } .first { text-anchor: start } .last { text-anchor: end }
.letter { font-weight: 700 } .on { font-weight: 700; fill: var(--on) } .off { font-weight: 700; fill: var(--no); paint-order: stroke; stroke: var(--ground); stroke-width: 4px }
.ground { fill: var(--ground) }
.word { font-size: 16px } .meaning { text-anchor: start }
.axis, .lane, .guide, .window { stroke: var(--line); stroke-width: 1.5; fill: none }
.guide { stroke-dasharray: 2 4 } .window { stroke: var(--faint); stroke-dasharray: 7 4 }
.call { stroke: var(--ink); stroke-width: 2.5 }
.run { fill: var(--run) } .refused { fill: var(--ground); stroke: var(--no); stroke-width: 2 }
.cross { stroke: var(--no); stroke-width: 2; fill: none } .pending { fill: var(--due) }
.task { fill: var(--area); stroke: var(--run); stroke-width: 2 } .state { fill: var(--area); stroke: var(--faint) }
.area { fill: var(--area) } .level { stroke: var(--run); stroke-width: 2.5; fill: none; stroke-linejoin: round }
.bound { stroke: var(--due); stroke-width: 2; stroke-dasharray: 6 4; fill: none }`

/** The complete SVG document. */
export function frame(title: string, description: string, height: number, content: string[]): string {
  const ground = {
    x: 1,
    y: 1,
    width: WIDTH - 2,
    height: height - 2,
    rx: 12,
    fill: 'var(--ground)',
    stroke: 'var(--edge)',
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${round(height)}" role="img" aria-labelledby="title desc">
<title id="title">${escape(title)}</title>
<desc id="desc">${escape(description)}</desc>
<style>${style}
</style>
${[element('rect', ground), ...content].join('\n')}
</svg>
`
}
