// Publishes what is on main, with a provenance: a proof, which anyone can check, of which commit and which run made it. Only a
// CI can give one. With --dry-run everything is done but the publishing, on any machine.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const isDry = process.argv.includes('--dry-run')
const root = join(import.meta.dirname, '..')
const read = (path) => readFileSync(join(root, path), 'utf8')
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const { name, version, repository, dependencies } = JSON.parse(read('package.json'))

/** Does `act`, which returns what is wrong, if anything; ends the script if something is. */
function step(what, act) {
  const fault = act()
  console.log(`${fault ? 'FAIL' : 'ok  '}  ${what}${fault ? `: ${fault}` : ''}`)
  if (fault) process.exit(1)
}

/** What is wrong, if the command fails. */
function run(program, ...args) {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  return status !== 0 && `${program} ${args.join(' ')} failed`
}

/** The files of a packed package. */
function filesOf(tarball) {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error', tarball]
  const packed = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
  const [{ files }] = Array.isArray(packed) ? packed : Object.values(packed)
  return files.map(({ path }) => path)
}

step('it is the branch main', () => {
  const branch = git('branch', '--show-current')
  return branch !== 'main' && `it is ${branch || 'no branch'}`
})
step('all is committed', () => git('status', '--porcelain'))
step(`the changelog begins with ${version}`, () => {
  const [, newest] = /^## (.*)$/m.exec(read('CHANGELOG.md')) ?? []
  return newest !== version && `it begins with ${newest}`
})
step(`${version} has no tag yet`, () => git('tag', '--list', `v${version}`))
step('it depends on nothing', () => Object.keys(dependencies ?? {}).join(', '))
if (!isDry) {
  step('a CI gives the provenance', () => {
    if (!process.env.ACTIONS_ID_TOKEN_REQUEST_URL) return 'this is none that may: run the workflow "publish"'
    return !repository && 'package.json names no repository, which the provenance has to match'
  })
}
step('all tests pass', () => run('npm', 'test'))
// npm shows the README of what it is given: the packed one, not that of the repository.
const folder = mkdtempSync(join(tmpdir(), 'lull-publish-'))
process.on('exit', () => rmSync(folder, { recursive: true }))
const tarball = join(folder, `${name}-${version}.tgz`)
step('it is packed', () => run('npm', 'pack', '--pack-destination', folder))
step('the package holds what is built, and nothing else', () => {
  const paths = filesOf(tarball)
  const isWanted = (path) => /^(dist\/.*|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path)
  const entries = ['react', 'core', 'fetch', 'redis', 'tabs', 'testing'].flatMap((entry) =>
    ['js', 'cjs', 'd.ts', 'd.cts'].map((extension) => `dist/${entry}/index.${extension}`),
  )
  const missing = [...entries, 'LICENSE', 'README.md'].filter((path) => !paths.includes(path))
  const strange = paths.filter((path) => !isWanted(path))
  return [...missing.map((path) => `no ${path}`), ...strange.map((path) => `also ${path}`)].join(', ')
})
step(isDry ? `${name} ${version} could be published` : `${name} ${version} is published`, () =>
  run('npm', 'publish', tarball, '--provenance', '--access', 'public', ...(isDry ? ['--dry-run'] : [])),
)
