import type { Page } from 'playwright-core'

/** How often a canvas is cleared in `ms`: the time is what is measured by, not what is waited for. */
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
