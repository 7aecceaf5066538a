import { expect, onTestFinished, vi } from 'vitest'

/** A page: what it listens to, and whether it is online and visible. */
export interface Page {
  isOnline: boolean
  isVisible: boolean
  heard: Set<string>
  emit: (type: string) => void
}

/** Takes the place of the browser's globals until the test ends, when nothing may listen to them any more. */
export function createPage(): Page {
  const listeners = new Map<string, Set<() => void>>()
  const of = (type: string): Set<() => void> => {
    const all = listeners.get(type) ?? new Set()
    listeners.set(type, all)
    return all
  }
  const page: Page = {
    isOnline: true,
    isVisible: true,
    get heard() {
      return new Set([...listeners].filter(([, all]) => all.size > 0).map(([type]) => type))
    },
    emit: (type) => of(type).forEach((listener) => listener()),
  }
  /** What tells of the events of these types, and of no others. */
  const createTarget = (types: string[]) => ({
    addEventListener: (type: string, listener: () => void) => {
      expect(types).toContain(type)
      of(type).add(listener)
    },
    removeEventListener: (type: string, listener: () => void) => of(type).delete(listener),
  })
  const { addEventListener, removeEventListener } = createTarget(['online', 'pageshow'])
  vi.stubGlobal('addEventListener', addEventListener)
  vi.stubGlobal('removeEventListener', removeEventListener)
  vi.stubGlobal('document', {
    ...createTarget(['visibilitychange', 'resume']),
    get visibilityState() {
      return page.isVisible ? 'visible' : 'hidden'
    },
  })
  vi.stubGlobal('navigator', {
    get onLine() {
      return page.isOnline
    },
  })
  onTestFinished(() => {
    expect(page.heard).toEqual(new Set())
    vi.unstubAllGlobals()
  })
  return page
}
