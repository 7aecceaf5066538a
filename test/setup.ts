import { afterAll, beforeEach, expect, vi } from 'vitest'

// The real one, before a test fakes it.
const { setTimeout } = globalThis

/** One list for all files of a process, as a report may come after its file. */
const shared = globalThis as { reports?: string[] }
const reports = (shared.reports ??= collect())

function collect(): string[] {
  const texts: string[] = []
  for (const level of ['error', 'warn'] as const) {
    const print = console[level]
    console[level] = (...values: unknown[]) => {
      texts.push(values.map(String).join(' '))
      print(...values)
    }
  }
  return texts
}

/** Undoes what the test replaced. A test that expects a report spies: `vi.spyOn(console, 'warn').mockReturnValue()`. */
function end(): void {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  // Last: the others may give back a fake timer.
  vi.useRealTimers()
  expect(reports.splice(0), 'unexpected console.error or console.warn').toEqual([])
}

// Registered first, it runs last: after components are unmounted.
beforeEach(({ onTestFinished }) => onTestFinished(end))
afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve))
  end()
})
