import type { RefObject } from 'react'
import { useThrottledCallback, useThrottledEvent, useThrottledResize } from 'lull'

export interface ScrollRuns {
  onThrottled: () => void
  onFrame: () => void
}

/** Runs callbacks for scrolling and resizing `box`, at most every `wait` ms and at most once a frame. */
export function useScrollRuns(
  box: RefObject<HTMLElement | null>,
  wait: number,
  { onThrottled, onFrame }: ScrollRuns,
): { onEvent: () => void } {
  const onEvent = useThrottledCallback(onThrottled, wait)

  // These add their own listeners; without a `wait` they run once a frame.
  useThrottledEvent(box, 'scroll', onFrame)
  useThrottledResize(box, onFrame)

  return { onEvent }
}
