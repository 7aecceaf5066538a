// Redraws docs/diagrams from runs of the code on a manual clock. A test compares them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfigFromFile, runnerImport } from 'vite'

const path = (relative) => join(import.meta.dirname, relative)

// The config resolves the package to its sources; plain Node would look in dist, which may not be built.
const { config } = await loadConfigFromFile(
  { command: 'serve', mode: 'development' },
  path('../vite.config.ts'),
)
const { module } = await runnerImport(path('../docs/draw/index.ts'), { resolve: config.resolve })
const drawings = await module.drawAll()

const folder = path('../docs/diagrams')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [name, drawing] of drawings) writeFileSync(join(folder, name), drawing)
console.log(`${drawings.size} drawings in docs/diagrams`)
