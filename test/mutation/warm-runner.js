import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { createVitest } from 'vitest/node'

/**
 * Stryker's own runner restarts Vitest for each mutant, which takes seconds. This one loads the tests once in
 * a process (serve-runs.js) and has it run some of them with a mutant, which takes milliseconds.
 */
class WarmRunner {
  capabilities() {
    return { reloadEnvironment: false }
  }

  /** Starts here, not in the first run, whose duration determines the timeout of mutants. */
  async init() {
    this.#process = startProcess()
    await this.#process
  }

  async dryRun() {
    const { tests, coverage } = await this.#ask({ run: 'all' })
    return { status: 'complete', tests, mutantCoverage: coverage }
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const request = { run: 'mutant', mutant: activeMutant.id, tests: testFilter, hitLimit }
    let answer = await this.#ask(request)
    if (answer.isSpoilt) {
      // The failed test fails without the mutant, too, because of state left by this or an earlier mutant.
      await this.dispose()
      answer = await this.#ask(request)
    }
    return answer.result
  }

  async dispose() {
    const process = await this.#process
    this.#process = undefined
    await process?.stop()
  }

  #process

  async #ask(request) {
    this.#process ??= startProcess()
    const { ask } = await this.#process
    return ask(request)
  }
}

async function startProcess() {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
  const server = createServer().listen(join(folder, 'socket'))
  const vitest = await createVitest('test', {
    config: 'test/mutation/vitest.config.js',
    watch: false,
    reporters: [],
  })
  process.env.MUTATION_SOCKET = join(folder, 'socket')
  process.env.MUTATION_FILES = String((await vitest.globTestSpecifications()).length)
  const run = vitest.start()
  const [socket] = await once(server, 'connection')
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]()
  return {
    async ask(request) {
      socket.write(`${JSON.stringify(request)}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error('The process that ran the tests has ended')
      return JSON.parse(value)
    },
    async stop() {
      socket.end()
      await run
      await vitest.close()
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'warm', WarmRunner)]
