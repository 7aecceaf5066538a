const page = globalThis as Partial<
  Pick<typeof globalThis, 'document' | 'addEventListener' | 'removeEventListener'>
>

/** What says that time has passed unnoticed. */
const SIGNS: readonly [target: 'window' | 'document', type: string][] = [
  ['window', 'online'],
  ['window', 'pageshow'],
  ['document', 'visibilitychange'],
  ['document', 'resume'],
]

/** Calls `callback` whenever the page may have slept. Returns what ends that. Outside of a page it does nothing. */
export function onWake(callback: () => void): () => void {
  const stops = SIGNS.map(([target, type]) => {
    const heard = target === 'window' ? page : page.document
    heard?.addEventListener?.(type, callback)
    return () => heard?.removeEventListener?.(type, callback)
  })
  return () => stops.forEach((stop) => stop())
}
