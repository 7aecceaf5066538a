import type { ReactNode } from 'react'
import { CopyButton } from '../controls/copy-button.tsx'
import { useSettingsStore } from './settings-provider.tsx'

/** Copies the URL that contains the current settings. */
export function LinkButton(): ReactNode {
  const store = useSettingsStore()

  function share(): string {
    const link = store.link()
    history.replaceState(null, '', link)
    return link
  }

  return <CopyButton label="Copy settings link" read={share} onFailure="In the address" />
}
