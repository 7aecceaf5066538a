import { getRequestListener } from '@hono/node-server'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig, runnerImport, type Connect, type Plugin } from 'vite'
import manifest from '../package.json' with { type: 'json' }
import { repositoryPage } from '../scripts/repository-page.js'
import { packageAlias } from '../vite.config.ts'
import { policySizes } from './policy-sizes.ts'

const { name, repository, homepage } = manifest as {
  name: string
  repository?: string | { url: string }
  homepage?: string
}

/** The origin of the deployed page, because link previews need absolute URLs. */
const url = process.env['DEMO_URL'] ?? ''

type Server = typeof import('./server/create-app.ts')

const alias = packageAlias('src')
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Serves `/api` in the process that serves the page: one command starts both. */
function api(): Plugin {
  async function mount(middlewares: Connect.Server): Promise<void> {
    // Without the alias Node would resolve the package to dist, which may not be built.
    const file = path('server/create-app.ts')
    const { module } = await runnerImport<Server>(file, { resolve: { alias } })
    const listener = getRequestListener(module.createApp().fetch, { overrideGlobalObjects: false })
    middlewares.use((incoming, outgoing, next) => {
      if (incoming.url?.startsWith('/api/')) void listener(incoming, outgoing)
      else next()
    })
  }
  return {
    name: 'demo-api',
    configureServer: (server) => mount(server.middlewares),
    configurePreviewServer: (server) => mount(server.middlewares),
  }
}

export default defineConfig({
  root: path('.'),
  resolve: { alias },
  plugins: [
    react(),
    api(),
    policySizes(),
    { name: 'demo-url', transformIndexHtml: (html) => html.replaceAll('%URL%', url) },
  ],
  define: {
    __LINKS__: JSON.stringify({
      install: `npm i ${name}`,
      docs: homepage,
      source: repositoryPage(repository),
    }),
  },
  // The API sets its own CORS fields, and other origins must not read the sources.
  server: { cors: false },
  build: { outDir: 'dist/client' },
})
