import { throttle, throttleFrame } from 'lull/core'

interface Redraw extends Disposable {
  (): void
}

/** For who wants less motion: how often what moves is drawn anew, in ms. */
const STEP_MS = 1000

/**
 * Makes a function that draws in the next frame, and then in every frame while `draw` answers that something moves;
 * every second only where less motion is wanted, and not at all while the page is hidden.
 */
export function createRedraw(draw: () => boolean): Redraw {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)')
  const smooth = throttleFrame(step)
  const calm = throttle(step, STEP_MS)
  const life = new AbortController()

  function step(): void {
    if (!document.hidden && draw()) redraw()
  }

  function redraw(): void {
    if (isCalm.matches) calm()
    else smooth()
  }

  document.addEventListener('visibilitychange', redraw, life)
  return Object.assign(redraw, {
    [Symbol.dispose]() {
      life.abort()
      smooth[Symbol.dispose]()
      calm[Symbol.dispose]()
    },
  })
}
