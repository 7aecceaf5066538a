import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const here = import.meta.dirname

/**
 * Copies a project of this folder to its own folder under `parent`, where our package is found only by its
 * name.
 *
 * @param parts files of `app` to copy.
 */
export function stageProject(parent, name, parts = []) {
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true })
  const isSource = (path) => !/[/\\](node_modules|dist|only|\.next)([/\\]|$)/.test(path.slice(here.length))
  cpSync(join(here, name), folder, { recursive: true, filter: isSource })
  for (const part of parts) cpSync(join(here, 'app', part), join(folder, part))

  async function run(program, args, env = {}) {
    try {
      const options = {
        cwd: folder,
        env: { ...cleanEnvironment(), ...env },
        timeout: 400_000,
        maxBuffer: 1e8,
      }
      return (await execute(program, args, options)).stdout
    } catch (error) {
      throw new Error([error.stdout, error.stderr, error.message].filter(Boolean).join('\n').slice(-4000), {
        cause: error,
      })
    }
  }

  return {
    folder,
    run,
    node: (...args) => run(process.execPath, args),
    /** Installs from the lockfile, then the packed package. */
    async install(tarball) {
      const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
      if (existsSync(join(folder, 'package-lock.json'))) await run('npm', ['ci', ...quiet])
      await run('npm', ['install', '--no-save', '--no-package-lock', ...quiet, tarball])
    },
    build: () => run('npm', ['run', 'build'], { NEXT_TELEMETRY_DISABLED: '1' }),
  }
}

/** The environment without the variables that the calling npm has set for its own project. */
function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)/i.test(name)),
  )
}
