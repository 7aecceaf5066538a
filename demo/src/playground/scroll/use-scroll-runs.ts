import type { RefObject } from 'react'
import { useThrottledCallback, useThrottledEvent, useThrottledResize } from 'lull'

export interface ScrollRuns {
  onThrottled: () => void
  onFrame: () => void
}

/** Runs for the scrolling and the resizing of `box`: every `wait` ms at most, and once a frame at most. */
export function useScrollRuns(
  box: RefObject<HTMLElement | null>,
  wait: number,
  { onThrottled, onFrame }: ScrollRuns,
): { onEvent: () => void } {
  const onEvent = useThrottledCallback(onThrottled, wait)

  // Listens by itself, and without a `wait` once a frame.
  useThrottledEvent(box, 'scroll', onFrame)
  useThrottledResize(box, onFrame)

  return { onEvent }
}
