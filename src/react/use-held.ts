import { useEffect, useInsertionEffect, useState } from 'react'
import { checkOneOf } from '../core/check.ts'
import { createLatest } from './latest.ts'
import { onPageLeave } from './on-page-leave.ts'

export interface LeavingOptions {
  /** What becomes of a pending run when the component is unmounted or hidden. @default 'cancel' */
  onUnmount?: 'cancel' | 'flush' | undefined
  /**
   * Makes a pending run when the page is hidden (another tab, the home screen) or goes away ('pagehide'). Give both to save
   * what a user typed: whichever comes first makes the run, and the other finds none. @default []
   */
  flushOn?: readonly ('hidden' | 'pagehide')[] | undefined
}

interface Leavable {
  cancel: () => void
  flush: () => unknown
  /** Cancels; calls are then ignored. */
  [Symbol.dispose]: () => void
}

function end(held: Leavable, how: 'cancel' | 'flush'): void {
  try {
    held[how]()
  } finally {
    held[Symbol.dispose]()
  }
}

/**
 * What holds the calls of a component: made once, with a function that answers `value` as of the last commit, and ended with the
 * component. An effect of the caller takes it up again if the component is shown again.
 *
 * Not ended by a layout effect: those end, too, while a Suspense boundary shows its fallback, and what is pending is not to be
 * lost by that.
 */
export function useHeld<Value, Held extends Leavable>(
  value: Value,
  make: (latest: () => Value) => Held,
  { onUnmount = 'cancel', flushOn = [] }: LeavingOptions,
): Held {
  checkOneOf(['cancel', 'flush'], 'onUnmount', onUnmount)
  const [{ latest, held }] = useState(() => {
    const latest = createLatest({ value, onUnmount })
    return { latest, held: make(() => latest.get().value) }
  })
  // Before any layout effect of the same commit, for one may already call.
  useInsertionEffect(() => latest.set({ value, onUnmount }))
  useEffect(() => () => end(held, latest.get().onUnmount), [held, latest])

  const onHidden = flushOn.includes('hidden')
  const onPagehide = flushOn.includes('pagehide')
  useEffect(() => onPageLeave(onHidden, onPagehide, held.flush), [held, onHidden, onPagehide])
  return held
}
