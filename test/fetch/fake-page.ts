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
  const target = {
    addEventListener: (type: string, listener: () => void) => of(type).add(listener),
    removeEventListener: (type: string, listener: () => void) => of(type).delete(listener),
  }
  vi.stubGlobal('addEventListener', target.addEventListener)
  vi.stubGlobal('removeEventListener', target.removeEventListener)
  vi.stubGlobal('document', {
    ...target,
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
