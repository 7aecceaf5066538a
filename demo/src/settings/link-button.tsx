import type { ReactNode } from 'react'
import { CopyButton } from '../controls/copy-button.tsx'
import { useSettingsStore } from './settings-provider.tsx'

/** Copies the address that says all settings as they are. */
export function LinkButton(): ReactNode {
  const store = useSettingsStore()

  function share(): string {
    const link = store.link()
    history.replaceState(null, '', link)
    return link
  }

  return (
    <CopyButton
      label="Copy link"
      description="Copy link to these settings"
      read={share}
      onFailure="In the address"
    />
  )
}
