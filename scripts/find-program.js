import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const run = (command, ...args) =>
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })

function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}

function install(debianPackage, names) {
  run('apt-get', 'update')
  run('apt-get', 'install', '-y', debianPackage)
  return onPath(names)
}

/**
 * Returns the path of a program: the one in the environment variable `variable`, else the first of `names` on the PATH, else a newly
 * installed one (Debian's for root on Debian, otherwise that of `installOther`). Throws a one-line error with instructions.
 */
export function findProgram({ title, variable, names, debianPackage, installOther }) {
  const given = process.env[variable]
  if (given) {
    if (!existsSync(given)) throw new Error(`${variable} names ${given}, which does not exist`)
    return given
  }
  const isRootOnDebian = existsSync('/etc/debian_version') && process.getuid?.() === 0
  let found = onPath(names)
  try {
    found ??= isRootOnDebian ? install(debianPackage, names) : installOther?.()
  } catch {
    // The error below says what to do.
  }
  if (found) return found
  throw new Error(
    `No ${title}: install one (as on Debian: apt-get install ${debianPackage}) or name yours in ${variable}`,
  )
}
