import { cpSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Returns a new folder where the built `lull` is installed beside React. */
export function stagePackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lull-built-'))
  for (const part of ['dist', 'package.json']) {
    cpSync(join(root, part), join(folder, 'node_modules/lull', part), { recursive: true })
  }
  for (const peer of ['react', 'react-dom', 'scheduler']) {
    symlinkSync(join(root, 'node_modules', peer), join(folder, 'node_modules', peer))
  }
  return folder
}
