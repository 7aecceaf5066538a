import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { SettingsProvider } from './settings/settings-provider.tsx'
import { createSettingsStore } from './settings/settings-store.ts'

// Not randomUUID: it exists only on https and localhost.
const client = `page-${Math.random().toString(36).slice(2)}`

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <SettingsProvider store={createSettingsStore()}>
      <App client={client} />
    </SettingsProvider>
  </StrictMode>,
)
