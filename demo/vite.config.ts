import { getRequestListener } from '@hono/node-server'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig, runnerImport, type Connect, type Plugin } from 'vite'
import manifest from '../package.json' with { type: 'json' }
import { packageAlias } from '../vite.config.ts'
import { policySizes } from './policy-sizes.ts'

const { name, repository, homepage } = manifest as {
  name: string
  repository?: string | { url: string }
  homepage?: string
}
const source = typeof repository === 'object' ? repository.url : repository

/** Where a link to the page leads with its host: link previews want whole addresses. */
const url = process.env['DEMO_URL'] ?? ''

type Server = typeof import('./server/create-app.ts')

const alias = packageAlias('src')
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Serves `/api` from the process that serves the page, so that one command starts both. */
function api(): Plugin {
  async function mount(middlewares: Connect.Server): Promise<void> {
    // Node, which runs this file, would look for the package in dist, where it may not be built.
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
      source: source?.replace(/^git\+|\.git$/g, ''),
    }),
  },
  // The API has its own answer to other origins, and nobody else is to read our sources.
  server: { cors: false },
  build: { outDir: 'dist/client' },
})
