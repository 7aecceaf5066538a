import { report } from '../core/report.ts'

/** How a page goes: 'hidden' is another tab, or the home screen; 'pagehide' another page, or the end. */
export type PageLeave = 'hidden' | 'pagehide'

type Leaver = (how: PageLeave) => void

const leavers = new Set<Leaver>()

function onHidden(): void {
  if (document.visibilityState === 'hidden') tell('hidden')
}

function onPagehide(): void {
  tell('pagehide')
}

function tell(how: PageLeave): void {
  for (const leave of [...leavers]) {
    try {
      leave(how)
    } catch (error) {
      // The others have little time left to hear of it.
      report(error)
    }
  }
}

/**
 * Tells `leave` when the page goes, until the function returned is called. However many there are, the page has two listeners;
 * outside of a page, none.
 */
export function onPageLeave(leave: Leaver): () => void {
  const change = (verb: 'addEventListener' | 'removeEventListener'): void => {
    if (leavers.size > 0 || typeof document === 'undefined') return
    document[verb]('visibilitychange', onHidden)
    window[verb]('pagehide', onPagehide)
  }
  change('addEventListener')
  leavers.add(leave)
  return () => {
    leavers.delete(leave)
    change('removeEventListener')
  }
}
