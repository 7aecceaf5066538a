import { report } from '../core/shared/report.ts'
import type { Trigger } from './attach.ts'

/** A trigger of an event of the page, which has one listener however many are attached, and none outside of a page. */
function createTrigger(
  target: () => EventTarget | undefined,
  type: string,
  isMeant: () => boolean = () => true,
): Trigger {
  const flushes = new Set<() => unknown>()

  function flushAll(): void {
    if (!isMeant()) return
    for (const flush of [...flushes]) {
      try {
        flush()
      } catch (error) {
        // The others have little time left.
        report(error)
      }
    }
  }

  return {
    attach(held) {
      const flush = (): unknown => held.flush()
      if (flushes.size === 0) target()?.addEventListener(type, flushAll)
      flushes.add(flush)
      return () => {
        flushes.delete(flush)
        if (flushes.size === 0) target()?.removeEventListener(type, flushAll)
      }
    },
  }
}

/** For `flushOn`: the page is hidden, by another tab or the home screen. On a telephone nothing may come after it. */
export const pageHidden: Trigger = /* @__PURE__ */ createTrigger(
  () => globalThis.document,
  'visibilitychange',
  () => document.visibilityState === 'hidden',
)

/** For `flushOn`: the page goes away, to another one or for good. */
export const pageHide: Trigger = /* @__PURE__ */ createTrigger(() => globalThis.window, 'pagehide')
