import { useEffect } from 'react'
import { checkOneOf } from '../core/check.ts'
import { onPageLeave } from './on-page-leave.ts'
import { useLatest } from './use-latest.ts'

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

/**
 * Ends `held` with the component; `useTiming` and its like take it up again if that is shown again. Not in a layout effect:
 * those end, too, while a Suspense boundary shows its fallback, and what is pending is not to be lost by that.
 */
export function useLeaving(held: Leavable, { onUnmount = 'cancel', flushOn = [] }: LeavingOptions): void {
  checkOneOf(['cancel', 'flush'], 'onUnmount', onUnmount)
  const latest = useLatest(onUnmount)

  useEffect(
    () => () => {
      try {
        held[latest.get()]()
      } finally {
        held[Symbol.dispose]()
      }
    },
    [held, latest],
  )

  const onHidden = flushOn.includes('hidden')
  const onPagehide = flushOn.includes('pagehide')
  useEffect(() => onPageLeave(onHidden, onPagehide, held.flush), [held, onHidden, onPagehide])
}
