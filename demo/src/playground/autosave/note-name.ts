const KEY = 'lull-note'

const newName = (): string => `note-${Math.random().toString(36).slice(2, 12)}`

/** The client ID of this visitor's note. It survives a reload of the tab if session storage is available. */
export function noteName(): string {
  try {
    // Other scripts may have written the stored value.
    const kept = sessionStorage.getItem(KEY)
    if (kept && /^note-[a-z0-9]{1,10}$/.test(kept)) return kept
    const name = newName()
    sessionStorage.setItem(KEY, name)
    return name
  } catch {
    // Storage is denied: the name lasts until the page is closed.
    return newName()
  }
}
