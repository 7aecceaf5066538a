import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const here = import.meta.dirname

/**
 * A project of this folder in a folder of its own under `parent`, where nothing of ours can be found but by its name.
 *
 * @param parts files of `app` that it takes.
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
    /** What its lockfile says, then the package as it is packed. */
    async install(tarball) {
      const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
      if (existsSync(join(folder, 'package-lock.json'))) await run('npm', ['ci', ...quiet])
      await run('npm', ['install', '--no-save', '--no-package-lock', ...quiet, tarball])
    },
    build: () => run('npm', ['run', 'build'], { NEXT_TELEMETRY_DISABLED: '1' }),
  }
}

/** Without what the npm that runs us has set for its own project. */
function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_registry)/i.test(name)),
  )
}
