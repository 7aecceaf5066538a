import { gzipSync } from 'node:zlib'
import { build, type Plugin, type Rolldown } from 'vite'
import { packageAlias } from '../vite.config.ts'

const ID = 'virtual:policy-sizes'
const ENTRY = 'virtual:entry'

const exportsOf = {
  learn: 'learnPace',
  fields: 'rateLimitFields',
  legacy: 'legacyRateLimitFields',
  breaker: 'circuitBreaker',
  priorities: 'priorities',
  tabs: 'shareBetweenTabs',
}

/** Provides a virtual module with the bytes that each policy adds, measured when the module is loaded. */
export function policySizes(): Plugin {
  return {
    name: 'policy-sizes',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    async load(id) {
      if (id !== `\0${ID}`) return undefined
      const kernel = await sizeOf('')
      const sizes: Record<string, number> = { kernel }
      for (const [name, exported] of Object.entries(exportsOf)) {
        const entry = name === 'tabs' ? 'lull/tabs' : 'lull/fetch'
        sizes[name] = (await sizeOf(`export { ${exported} } from '${entry}'`)) - kernel
      }
      return `export default ${JSON.stringify(sizes)}`
    },
  }
}

/** The size of the kernel and the exports of `code`, in bytes, minified and gzipped. */
async function sizeOf(code: string): Promise<number> {
  const outputs = (await build({
    configFile: false,
    // Vite keeps it in a library: an application replaces it.
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    resolve: { alias: packageAlias('src') },
    plugins: [
      {
        name: 'entry',
        enforce: 'pre',
        resolveId: (id) => (id.endsWith(ENTRY) ? `\0${ENTRY}` : undefined),
        load: (id) =>
          id === `\0${ENTRY}` ? `export { composeRateLimitedFetch } from 'lull/fetch'\n${code}` : undefined,
      },
    ],
    build: {
      write: false,
      minify: true,
      lib: { entry: ENTRY, formats: ['iife'], name: 'lull', fileName: 'lull' },
    },
  })) as Rolldown.RolldownOutput[]
  return gzipSync(outputs[0]!.output[0].code, { level: 9 }).length
}
