import { once } from 'node:events'
import { connect } from 'node:net'
import { relative } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { startTests } from '@vitest/runner'
import { TestRunner } from 'vitest'

/** The CPU time for all tests of one mutant in ms, quickest first: a surviving mutant runs all of them. */
const MOST_CPU_MS = 12_000

/** How long a test may take with a mutant, in ms. */
const PATIENCE_MS = 2000

/** Titles of tests that are not run: of memory, of thousands of calls, in real time. */
const SLOW = /keeps nothing alive|\b1000 calls\b|\bthousands\b|\bhowever many\b|performance faked alone/

// The real timers, before a test fakes them.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

const stryker = (globalThis.__stryker__ ??= {})

/** Collects the tests of all files, then runs those that are requested over a socket. */
export default class ServeRuns extends TestRunner {
  /** The tests of each file, with their ids. */
  #files = new Map()
  #isServing = false
  #toRun = []
  #isDry = false
  #cpuBefore
  #cpuMs = new Map()
  #failed

  onBeforeRunFiles(files) {
    if (this.#isServing) {
      files.push(...this.#toRun)
      return
    }
    for (const file of files) this.#files.set(file, testsOf(file))
    files.length = 0
  }

  async onAfterRunFiles() {
    if (this.#isServing || this.#files.size < Number(process.env.MUTATION_FILES)) return
    this.#isServing = true
    // Turns off the report of each test.
    this.onTaskUpdate = undefined
    await this.#serve()
  }

  async #serve() {
    const socket = connect(process.env.MUTATION_SOCKET)
    await once(socket, 'connect')
    for await (const line of createInterface({ input: socket })) {
      const { run, ...request } = JSON.parse(line)
      const answer = run === 'all' ? await this.#runAll() : await this.#runMutant(request)
      socket.write(`${JSON.stringify(answer)}\n`)
    }
  }

  async #runAll() {
    this.#isDry = true
    const all = [...this.#files.values()].flat()
    await this.#run(all.filter(({ id, test }) => test.mode === 'run' && !SLOW.test(id)))
    this.#isDry = false
    const { static: outside = {}, perTest = {} } = stryker.mutantCoverage ?? {}
    const quickestFirst = all
      .filter(({ test }) => this.#cpuMs.has(test))
      .sort((a, b) => this.#cpuMs.get(a.test) - this.#cpuMs.get(b.test))
    const coverage = { static: outside, perTest: {} }
    const spentMs = {}
    for (const { id, test } of quickestFirst) {
      const hits = Object.entries(perTest[id] ?? {}).filter(([mutant]) => {
        spentMs[mutant] = (spentMs[mutant] ?? 0) + this.#cpuMs.get(test)
        return spentMs[mutant] <= MOST_CPU_MS
      })
      coverage.perTest[id] = Object.fromEntries(hits)
    }
    return { tests: all.map(({ id, test }) => toResult(id, test)), coverage }
  }

  async #runMutant({ mutant, tests, hitLimit }) {
    const wanted = new Set(tests)
    const chosen = [...this.#files.values()].flat().filter(({ id }) => wanted.has(id))
    Object.assign(stryker, { activeMutant: mutant, hitCount: 0, hitLimit })
    await this.#run(chosen)
    const { hitCount } = stryker
    Object.assign(stryker, { activeMutant: undefined, hitCount: undefined })
    const failed = this.#failed
    if (!failed) return { result: { status: 'survived', nrOfTests: chosen.length } }
    const failureMessage = failed.result.errors?.[0]?.message ?? 'failed'
    const killer = chosen.find(({ test }) => test === failed)
    this.#putFirst(failed.file)
    if (await this.#fails(killer))
      return {
        isSpoilt: true,
        result: { status: 'killed', killedBy: [killer.id], failureMessage, nrOfTests: 1 },
      }
    if (hitCount > hitLimit) return { result: { status: 'timeout', reason: `${hitCount} hits` } }
    return { result: { status: 'killed', killedBy: [killer.id], failureMessage, nrOfTests: chosen.length } }
  }

  async #fails(chosen) {
    await setImmediate()
    await this.#run([chosen])
    return this.#failed !== undefined
  }

  /** Runs tests up to the first that fails, in the order of their files. */
  async #run(chosen) {
    this.#failed = undefined
    const tests = new Set(chosen.map(({ test }) => test))
    const files = new Set(chosen.map(({ test }) => test.file))
    this.#toRun = [...this.#files.keys()].filter((file) => files.has(file))
    for (const file of this.#toRun) prepare(file, tests)
    await startTests([], this)
  }

  /** Runs this file first from now on: tests that killed one mutant are likely to kill the next. */
  #putFirst(file) {
    const tests = this.#files.get(file)
    this.#files.delete(file)
    this.#files = new Map([[file, tests], ...this.#files])
  }

  async onBeforeRunTask(test) {
    if (this.#failed) test.mode = 'skip'
    if (this.#isDry) stryker.currentTestId = idOf(test)
    this.#cpuBefore = process.cpuUsage()
    await super.onBeforeRunTask(test)
  }

  /** Fails tests that hang with a mutant. */
  async runTask(test) {
    const run = TestRunner.getTestFn(test)()
    if (this.#isDry) return run
    let timer
    const late = new Promise((_, reject) => {
      timer = startTimer(() => reject(new Error('It hangs')), PATIENCE_MS)
    })
    await Promise.race([run, late]).finally(() => stopTimer(timer))
  }

  onAfterRunTask(test) {
    super.onAfterRunTask(test)
    const { user, system } = process.cpuUsage(this.#cpuBefore)
    if (this.#isDry) this.#cpuMs.set(test, (user + system) / 1000)
    stryker.currentTestId = undefined
    if (test.result?.state === 'fail' && !this.#isDry) this.#failed ??= test
  }
}

/** Resets the chosen tests to run again and skips the others. Returns whether any test is chosen. */
function prepare(task, chosen) {
  delete task.result
  const isChosen =
    task.type === 'suite' ? task.tasks.map((inner) => prepare(inner, chosen)).some(Boolean) : chosen.has(task)
  task.mode = isChosen ? 'run' : 'skip'
  return isChosen
}

function testsOf(suite) {
  return suite.tasks.flatMap((task) =>
    task.type === 'suite' ? testsOf(task) : [{ id: idOf(task), test: task }],
  )
}

function idOf(test) {
  return `${relative(process.cwd(), test.file.filepath)}#${test.fullTestName}`
}

const STATUS = { pass: 0, fail: 1 }

function toResult(id, test) {
  const status = STATUS[test.result?.state] ?? 2
  const name = test.fullTestName
  const failureMessage = test.result?.errors?.[0]?.message ?? 'failed'
  return {
    id,
    name,
    fileName: test.file.filepath,
    timeSpentMs: test.result?.duration ?? 0,
    status,
    failureMessage,
  }
}
