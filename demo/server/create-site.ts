import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { createApp, type AppOptions } from './create-app.ts'
import { pageHeaders } from './page-headers.ts'

/** The built demo: the files in the folder `root`, and the API. */
export function createSite(root: string, options?: AppOptions): Hono {
  const api = createApp(options)
  const site = new Hono()
  site.all('/api/*', (c) => api.fetch(c.req.raw, c.env as object))
  site.use(async (c, next) => {
    await next()
    // Vite adds a content hash to the names of assets, but not to the name of the page.
    const isHashed = c.res.ok && c.req.path.startsWith('/assets/')
    c.header('Cache-Control', isHashed ? 'max-age=31536000, immutable' : 'no-cache')
    for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value)
  })
  site.use(compress())
  site.use(serveStatic({ root }))
  return site
}
