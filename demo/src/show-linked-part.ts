/** Scrolls to the part of the page that the address names before its settings, and unfolds it. */
export function showLinkedPart(): void {
  const [id = ''] = location.hash.slice(1).split('&')
  const part = id && !id.includes('=') ? document.getElementById(id) : null
  if (part instanceof HTMLDetailsElement) part.open = true
  part?.scrollIntoView()
}
