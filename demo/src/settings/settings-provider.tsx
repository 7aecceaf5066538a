import { createContext, use, useSyncExternalStore, type ReactNode } from 'react'
import type { SettingsStore } from './settings-store.ts'
import type { Group, GroupName } from './schema.ts'

const Settings = createContext<SettingsStore | undefined>(undefined)

export function SettingsProvider({
  store,
  children,
}: {
  store: SettingsStore
  children: ReactNode
}): ReactNode {
  return <Settings value={store}>{children}</Settings>
}

export function useSettingsStore(): SettingsStore {
  const store = use(Settings)
  if (!store) throw new Error('Expected a SettingsProvider above')
  return store
}

/** The settings of one group, and a function that changes some of them. */
export function useSettings<Name extends GroupName>(
  name: Name,
): [settings: Group<Name>, change: (changes: Partial<Group<Name>>) => void] {
  const store = useSettingsStore()
  const settings = useSyncExternalStore(store.subscribe, () => store.read()[name])
  return [settings, (changes) => store.change(name, changes)]
}
