import { useSyncExternalStore, type ReactNode } from 'react'
import { LiveCode } from './live-code.tsx'
import { readLink } from '../settings/link.ts'
import { useSettingsStore } from '../settings/settings-provider.tsx'
import { snippets, type Snippet } from './snippets.ts'

const initial = readLink('')

/** The code of a panel for the current settings. */
export function PanelCode({ panel, title }: { panel: Snippet; title: string }): ReactNode {
  const store = useSettingsStore()
  const settings = useSyncExternalStore(store.subscribe, store.read)
  const write = snippets[panel]
  return <LiveCode panel={panel} title={title} code={write(settings)} initial={write(initial)} />
}
