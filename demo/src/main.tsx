import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

// Not randomUUID, which a page that is not on https or this machine does not have.
const client = `page-${Math.random().toString(36).slice(2)}`

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App client={client} />
  </StrictMode>,
)
