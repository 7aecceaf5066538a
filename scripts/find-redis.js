import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['redis-server', 'valkey-server']

function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}

const run = (command, ...args) => execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })

function install() {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) return undefined
  run('apt-get', 'update')
  run('apt-get', 'install', '-y', 'redis-server')
  return onPath()
}

/**
 * Returns the path of a Redis or Valkey server: REDIS_SERVER_PATH, else one on the PATH, else Debian's, newly
 * installed for root on Debian. Throws a one-line error with instructions.
 */
export function findRedis() {
  const given = process.env.REDIS_SERVER_PATH
  if (given) {
    if (!existsSync(given)) throw new Error(`REDIS_SERVER_PATH names ${given}, which does not exist`)
    return given
  }
  let found = onPath()
  try {
    found ??= install()
  } catch {
    // The error below says what to do.
  }
  if (found) return found
  throw new Error(
    'No Redis: install one (as on Debian: apt-get install redis-server) or name yours in REDIS_SERVER_PATH',
  )
}
