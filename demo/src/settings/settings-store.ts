import { debounce } from 'lull/core'
import { createListeners } from '../listeners.ts'
import { readLink, writeLink } from './link.ts'
import type { AllSettings, Group, GroupName } from './schema.ts'

/** All settings of the page, kept in sync with its URL. */
export interface SettingsStore extends Disposable {
  /** The same objects until they change. */
  read: () => AllSettings
  change: <Name extends GroupName>(name: Name, changes: Partial<Group<Name>>) => void
  /** The URL with the current settings; it opens the section with the id `part`. */
  link: (part?: string) => string
  subscribe: (listener: () => void) => () => void
}

/** Browsers limit how often the URL may change, and dragging a slider makes many changes. */
const ADDRESS_WAIT_MS = 200

export function createSettingsStore(): SettingsStore {
  const { notify, subscribe } = createListeners()
  const controller = new AbortController()
  let settings = readLink(location.hash)

  const link = (): string => location.pathname + location.search + writeLink(settings)
  const showLink = debounce(() => history.replaceState(null, '', link()), ADDRESS_WAIT_MS)

  // A link was pasted into the address bar. The reload also sends its settings to the server.
  addEventListener('hashchange', () => writeLink(readLink(location.hash)) && location.reload(), controller)

  return {
    read: () => settings,
    change(name, changes) {
      settings = { ...settings, [name]: { ...settings[name], ...changes } }
      notify()
      showLink()
    },
    link(part) {
      const url = new URL(link(), location.href)
      if (part) url.hash = [part, ...(url.hash ? [url.hash.slice(1)] : [])].join('&')
      return url.href
    },
    subscribe,
    [Symbol.dispose]() {
      controller.abort()
      showLink[Symbol.dispose]()
    },
  }
}
