import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Installs the built `lull` in a new folder, beside `peers`, and returns a function that runs a script there. */
export function stagePackage(peers = ['react', 'react-dom', 'scheduler']) {
  const folder = mkdtempSync(join(tmpdir(), 'lull-built-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  for (const part of ['dist', 'package.json'])
    cpSync(join(root, part), join(folder, 'node_modules/lull', part), { recursive: true })
  for (const peer of peers) symlinkSync(join(root, 'node_modules', peer), join(folder, 'node_modules', peer))

  /** Runs an ES module and returns the value that it logs. */
  return (script: string, ...flags: string[]): unknown => {
    writeFileSync(join(folder, 'script.mjs'), script)
    const options = { cwd: folder, encoding: 'utf8', timeout: 20_000, stdio: 'pipe' } as const
    return JSON.parse(execFileSync(process.execPath, [...flags, 'script.mjs'], options))
  }
}
