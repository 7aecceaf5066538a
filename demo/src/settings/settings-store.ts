import { debounce } from 'lull/core'
import { readLink, writeLink } from './link.ts'
import type { AllSettings, Group, GroupName } from './schema.ts'

/** All settings of the page, which its address says too. */
export interface SettingsStore extends Disposable {
  /** The same objects until they change. */
  read: () => AllSettings
  change: <Name extends GroupName>(name: Name, changes: Partial<Group<Name>>) => void
  /** The address that says them as they are now, and leads to the part of the page with the id `part`. */
  link: (part?: string) => string
  subscribe: (listener: () => void) => () => void
}

/** A slider that is dragged makes many changes, and browsers refuse too many of the address. */
const ADDRESS_WAIT_MS = 200

export function createSettingsStore(): SettingsStore {
  const listeners = new Set<() => void>()
  const life = new AbortController()
  let settings = readLink(location.hash)

  const link = (): string => location.pathname + location.search + writeLink(settings)
  const showLink = debounce(() => history.replaceState(null, '', link()), ADDRESS_WAIT_MS)

  function become(next: AllSettings): void {
    settings = next
    for (const listener of listeners) listener()
  }

  // By somebody who pastes a link into this page's address: the server is to hear of it, too.
  addEventListener('hashchange', () => writeLink(readLink(location.hash)) && location.reload(), life)

  return {
    read: () => settings,
    change(name, changes) {
      become({ ...settings, [name]: { ...settings[name], ...changes } })
      showLink()
    },
    link(part) {
      const url = new URL(link(), location.href)
      if (part) url.hash = [part, ...(url.hash ? [url.hash.slice(1)] : [])].join('&')
      return url.href
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    [Symbol.dispose]() {
      life.abort()
      showLink[Symbol.dispose]()
    },
  }
}
