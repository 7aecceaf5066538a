/** The page goes away, and may come back; `hear` is told what is reported meanwhile. */
export function leavePage(hear: (error: unknown) => void): void {
  // Not in jsdom.
  Object.assign(globalThis, { reportError: hear })
  try {
    dispatchEvent(new Event('pagehide'))
  } finally {
    Reflect.deleteProperty(globalThis, 'reportError')
  }
}
