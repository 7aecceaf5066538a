import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { expect, vi } from 'vitest'

/** What a user does. What is to be seen of it at which instant is noted. */
export interface Hand<Props> {
  type: (text: string) => void
  click: (name: string) => void
  slide: (to: number) => void
  scrollTo: (top: number) => void
  rerender: (props: Partial<Props>) => void
  /** Lets time pass. What happens meanwhile is seen at the end of a step. @param stepMs @default 10 */
  pass: (ms: number, stepMs?: number) => void
  unmount: () => void
}

interface Played {
  /** What was to be seen and what `note` was told, each with the instant at which it was new. */
  log: string[]
  timersLeft: number
}

/** On the timers of the platform, which are to stand still: both libraries run on them. */
function play<Props extends object>(
  Part: ComponentType<Props>,
  propsWith: (note: (what: string) => void) => Props,
  script: (hand: Hand<Props>) => void,
): Played {
  const log: string[] = []
  const start = Date.now()
  const note = (what: string): void => void log.push(`${Date.now() - start} ${what}`)
  const props = propsWith(note)
  const { container, rerender, unmount } = render(<Part {...props} />)
  let shown = ''
  function look(): void {
    const now = container.querySelector('output')?.textContent ?? ''
    if (now !== shown) note(`"${now}"`)
    shown = now
  }
  look()
  script({
    type: (text) => {
      fireEvent.change(screen.getByRole('textbox'), { target: { value: text } })
      look()
    },
    click: (name) => {
      fireEvent.click(screen.getByText(name))
      look()
    },
    slide: (to) => {
      fireEvent.change(screen.getByRole('slider'), { target: { value: to } })
      look()
    },
    scrollTo: (top) => {
      vi.stubGlobal('scrollY', top)
      fireEvent.scroll(window)
      look()
    },
    rerender: (changes) => {
      rerender(<Part {...props} {...changes} />)
      look()
    },
    pass: (ms, stepMs = 10) => {
      const end = Date.now() + ms
      while (Date.now() < end) {
        act(() => {
          vi.advanceTimersByTime(stepMs)
        })
        look()
      }
    },
    unmount,
  })
  unmount()
  const timersLeft = vi.getTimerCount()
  vi.clearAllTimers()
  vi.unstubAllGlobals()
  return { log, timersLeft }
}

/** Plays the script with both, and expects ours to leave no timer. */
export function playBoth<Props extends object>(
  Before: ComponentType<Props>,
  After: ComponentType<Props>,
  propsWith: (note: (what: string) => void) => Props,
  script: (hand: Hand<Props>) => void,
): { before: string[]; after: string[] } {
  const { log: before } = play(Before, propsWith, script)
  const { log: after, timersLeft } = play(After, propsWith, script)
  expect(timersLeft).toBe(0)
  return { before, after }
}

/** The same to be seen and the same calls at the same instants with both. */
export function same(log: string[]): { before: string[]; after: string[] } {
  return { before: log, after: log }
}
