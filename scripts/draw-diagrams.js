// Draws docs/diagrams anew: what the code does on a manual clock. A test compares the two.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfigFromFile, runnerImport } from 'vite'

const path = (relative) => join(import.meta.dirname, relative)

// Node, which runs this file, would look for the package in dist, where it may not be built.
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
