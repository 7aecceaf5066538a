import type { Locator, Page } from 'playwright'

/** Counts how often a canvas is cleared in `ms`. The fixed time is part of the measurement. */
export function countDrawings(page: Page, canvas: string, ms: number): Promise<number> {
  return page.evaluate(
    async ([canvas, ms]) => {
      const context = document.querySelector<HTMLCanvasElement>(canvas)!.getContext('2d')!
      let count = 0
      context.clearRect = (...area) => {
        count++
        CanvasRenderingContext2D.prototype.clearRect.apply(context, area)
      }
      await new Promise((resolve) => setTimeout(resolve, ms))
      return count
    },
    [canvas, ms] as const,
  )
}

/** Counts the pixels of a canvas that have exactly the colour of the CSS custom property. */
export const pixels = (canvas: Locator, color: string): Promise<number> =>
  canvas.evaluate((element, color) => {
    const source = element as HTMLCanvasElement
    const copy = document.createElement('canvas')
    const { width, height } = Object.assign(copy, { width: source.width, height: source.height })
    const context = copy.getContext('2d', { willReadFrequently: true })!
    const colors = () => new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)
    context.fillStyle = getComputedStyle(source).getPropertyValue(`--${color}`)
    context.fillRect(0, 0, 1, 1)
    const [wanted] = colors()
    context.clearRect(0, 0, 1, 1)
    context.drawImage(source, 0, 0)
    return colors().filter((each) => each === wanted).length
  }, color)

/** The positions of the elements on the page, including those below the fold. */
export const places = (within: Locator, parts: string): Promise<unknown[]> =>
  within.evaluate(
    (element, parts) =>
      [...element.querySelectorAll(parts)].map((part) => {
        const { left, top } = part.getBoundingClientRect()
        return [part.tagName, left, top + scrollY]
      }),
    parts,
  )
