const page = globalThis as Partial<
  Pick<typeof globalThis, 'document' | 'navigator' | 'addEventListener' | 'removeEventListener'>
>

/** Whether the browser says that it has no network. It may be wrong where it says that it has. */
export const isOffline = (): boolean => page.navigator?.onLine === false

export const isHidden = (): boolean => page.document?.visibilityState === 'hidden'

/** What says that time has passed unnoticed, or that the network is back. */
const SIGNS: readonly [target: 'window' | 'document', type: string][] = [
  ['window', 'online'],
  ['window', 'pageshow'],
  ['document', 'visibilitychange'],
  ['document', 'resume'],
]

/** Calls `callback` whenever the page may have slept, until the function returned is called. Outside of a page: never. */
export function onWake(callback: () => void): () => void {
  const stops = SIGNS.map(([target, type]) => {
    const heard = target === 'window' ? page : page.document
    heard?.addEventListener?.(type, callback)
    return () => heard?.removeEventListener?.(type, callback)
  })
  return () => stops.forEach((stop) => stop())
}
