// Packs the package, installs it into fresh projects, and checks that they build, type-check and run.
// Arguments name the projects to check. Prints one line per check, and their number at the end.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { esbuild, vite, webpack } from './checks/bundlers.js'
import { jest } from './checks/jest.js'
import { native } from './checks/native.js'
import { next } from './checks/next.js'
import { node } from './checks/node.js'
import { jestTs, nodeTest, vitest } from './checks/runners.js'
import { ssr } from './checks/ssr.js'
import { types } from './checks/types.js'
import { workerd } from './checks/workerd.js'
import { closeBrowser } from './open-page.js'
import { stageProject } from './stage-project.js'

const projects = [
  node,
  nodeTest,
  vitest,
  jestTs,
  jest,
  native,
  types,
  vite,
  webpack,
  esbuild,
  ssr,
  next,
  workerd,
]
const named = process.argv.slice(2)
const unknown = named.filter((name) => !projects.some((project) => project.name === name))
const names = projects.map(({ name }) => name).join(', ')
if (unknown.length > 0) throw new Error(`No such project: ${unknown.join(', ')}. There are ${names}`)
const chosen = projects.filter(({ name }) => named.length === 0 || named.includes(name))

let passed = 0
let failed = 0

/** Resolves to whether the check passed. */
async function check(name, act) {
  try {
    await act()
    passed++
    console.log(`ok    ${name}`)
    return true
  } catch (error) {
    failed++
    console.log(`FAIL  ${name}\n${error.message.replaceAll(/^/gm, '      ')}`)
    return false
  }
}

/** Builds and packs as for publishing. */
function pack(folder) {
  const root = join(import.meta.dirname, '../..')
  execFileSync('npm', ['run', 'build', '--', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder]
  const packed = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed)
  return join(folder, filename)
}

const folder = mkdtempSync(join(tmpdir(), 'lull-packaging-'))
try {
  const tarball = pack(folder)
  for (const { name, parts, check: run } of chosen) {
    const checkHere = (what, act) => check(`${name}: ${what}`, act)
    const project = stageProject(folder, name, parts)
    if (await checkHere('installs', () => project.install(tarball))) await run(project, checkHere)
    rmSync(project.folder, { recursive: true, force: true })
  }
} finally {
  await closeBrowser()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
