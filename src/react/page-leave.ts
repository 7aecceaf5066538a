import { report } from '../core/shared/report.ts'

/** How a page goes: 'hidden' is another tab, or the home screen; 'pagehide' another page, or the end. */
export type PageLeave = 'hidden' | 'pagehide'

/** What is told when the page goes. */
export interface PageLeaver {
  leavePage: (how: PageLeave) => void
}

const leavers = new Set<PageLeaver>()

function tell(how: PageLeave): void {
  for (const leaver of [...leavers]) {
    try {
      leaver.leavePage(how)
    } catch (error) {
      // The others have little time left to hear of it.
      report(error)
    }
  }
}

function onHidden(): void {
  if (document.visibilityState === 'hidden') tell('hidden')
}

const onPagehide = (): void => tell('pagehide')

function listen(verb: 'addEventListener' | 'removeEventListener'): void {
  if (leavers.size > 0 || typeof document === 'undefined') return
  document[verb]('visibilitychange', onHidden)
  window[verb]('pagehide', onPagehide)
}

// However many there are, the page has two listeners; outside of a page there are none.

export function addPageLeaver(leaver: PageLeaver): void {
  listen('addEventListener')
  leavers.add(leaver)
}

export function removePageLeaver(leaver: PageLeaver): void {
  leavers.delete(leaver)
  listen('removeEventListener')
}
