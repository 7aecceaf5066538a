/** Calls `leave` when the page is hidden, or goes away, until the function returned is called. */
export function onPageLeave(onHidden: boolean, onPagehide: boolean, leave: () => void): () => void {
  const whenHidden = (): void => {
    if (document.visibilityState === 'hidden') leave()
  }
  if (onHidden) document.addEventListener('visibilitychange', whenHidden)
  if (onPagehide) addEventListener('pagehide', leave)
  return () => {
    if (onHidden) document.removeEventListener('visibilitychange', whenHidden)
    if (onPagehide) removeEventListener('pagehide', leave)
  }
}
