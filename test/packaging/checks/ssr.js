import { expectDebounced, withPage } from '../open-page.js'
import { serveFolder } from '../serve-folder.js'

export const ssr = {
  name: 'ssr',
  parts: ['app.js'],
  async check({ build, folder, node }, check) {
    await check('renders in Node', () => node('render.js'))
    await check('requires the hooks from CommonJS', () => node('require.cjs'))
    await check('bundles for the client', () => build())
    const site = await serveFolder(folder)
    await check('the client hydrates the server output, and typing is debounced', () =>
      withPage(site.url, expectDebounced),
    )
    await site.close()
  },
}
