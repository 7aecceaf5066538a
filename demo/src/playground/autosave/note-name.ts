const KEY = 'lull-note'

/** The client ID of this visitor's note. It survives a reload of the tab if session storage is available. */
export function noteName(): string {
  const name = `note-${Math.random().toString(36).slice(2, 12)}`
  try {
    const kept = sessionStorage.getItem(KEY)
    if (kept) return kept
    sessionStorage.setItem(KEY, name)
  } catch {
    // Storage is denied: the name lasts until the page is closed.
  }
  return name
}
