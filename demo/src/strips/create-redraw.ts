import { throttle, throttleFrame } from 'lull/core'

interface Redraw extends Disposable {
  (): void
}

/** The redraw interval under reduced motion, in ms. */
const STEP_MS = 1000

/**
 * Returns a function that draws in the next frame, and then in every frame while `draw` returns true. Draws
 * at most once a second under reduced motion, and never while the page is hidden.
 */
export function createRedraw(draw: () => boolean): Redraw {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)')
  const smooth = throttleFrame(step)
  const calm = throttle(step, STEP_MS)
  const controller = new AbortController()

  function step(): void {
    if (!document.hidden && draw()) redraw()
  }

  function redraw(): void {
    if (isCalm.matches) calm()
    else smooth()
  }

  document.addEventListener('visibilitychange', redraw, controller)
  return Object.assign(redraw, {
    [Symbol.dispose]() {
      controller.abort()
      smooth[Symbol.dispose]()
      calm[Symbol.dispose]()
    },
  })
}
