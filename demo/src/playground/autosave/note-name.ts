const KEY = 'lull-note'

const newName = (): string => `note-${Math.random().toString(36).slice(2, 12)}`

/** What the server tells this visitor's note by: the same after a reload of the tab, where the browser keeps it. */
export function noteName(): string {
  try {
    // It may have been written by anybody.
    const kept = sessionStorage.getItem(KEY)
    if (kept && /^note-[a-z0-9]{1,10}$/.test(kept)) return kept
    const name = newName()
    sessionStorage.setItem(KEY, name)
    return name
  } catch {
    // Storage is denied: then the note ends with the page.
    return newName()
  }
}
