// Publishes the branch main with a provenance, a verifiable proof of the commit and the run that built it,
// which only a CI can provide. With --dry-run it does everything except publishing, on any machine.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const isDry = process.argv.includes('--dry-run')
const root = join(import.meta.dirname, '..')
const read = (path) => readFileSync(join(root, path), 'utf8')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const { name, version, repository, dependencies, exports } = JSON.parse(read('package.json'))

/** Runs `act`, which returns a fault, if any; exits on a fault. */
function step(what, act) {
  const fault = act()
  console.log(`${fault ? 'FAIL' : 'ok  '}  ${what}${fault ? `: ${fault}` : ''}`)
  if (fault) process.exit(1)
}

/** Runs a command. Returns a fault if it fails. */
function run(program, ...args) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  return status !== 0 && `${program} ${args.join(' ')} failed`
}

/** Returns the files of a packed package. */
function filesOf(tarball) {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error', tarball]
  const packed = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
  const [{ files }] = Array.isArray(packed) ? packed : Object.values(packed)
  return files.map(({ path }) => path)
}

step('the branch is main', () => {
  const branch = git('branch', '--show-current')
  return branch !== 'main' && `it is ${branch || 'no branch'}`
})
step('everything is committed', () => git('status', '--porcelain'))
step(`the changelog begins with ${version}`, () => {
  const [, newest] = /^## (.*)$/m.exec(read('CHANGELOG.md')) ?? []
  return newest !== version && `it begins with ${newest}`
})
step(`${version} has no tag yet`, () => git('tag', '--list', `v${version}`))
step('it has no dependencies', () => Object.keys(dependencies ?? {}).join(', '))
if (!isDry) {
  step('a CI provides the provenance', () => {
    if (!process.env.ACTIONS_ID_TOKEN_REQUEST_URL)
      return 'not in a CI with this permission: run the workflow "publish"'
    return !repository && 'package.json names no repository, which the provenance has to match'
  })
}
step('all tests pass', () => run('npm', 'test'))
// npm shows the README of the tarball: the packed one, not that of the repository.
const folder = mkdtempSync(join(tmpdir(), 'lull-publish-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const tarball = join(folder, `${name}-${version}.tgz`)
step('it is packed', () => run('npm', 'pack', '--pack-destination', folder))
step('the package contains the build and nothing else', () => {
  const paths = filesOf(tarball)
  const isWanted = (path) => /^(dist\/.*|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path)
  const entries = [...new Set(JSON.stringify(exports).match(/dist\/[^"]+/g))]
  const missing = [...entries, 'LICENSE', 'README.md'].filter((path) => !paths.includes(path))
  const strange = paths.filter((path) => !isWanted(path))
  return [...missing.map((path) => `no ${path}`), ...strange.map((path) => `also ${path}`)].join(', ')
})
step(isDry ? `${name} ${version} could be published` : `${name} ${version} is published`, () =>
  run('npm', 'publish', tarball, '--provenance', '--access', 'public', ...(isDry ? ['--dry-run'] : [])),
)
