import { expect, it, onTestFinished, vi } from 'vitest'
import { hookParts } from './hooks/hook-parts.ts'

const INSTANCES = 120

it.each(hookParts.map((part) => [part.name, part] as const))(
  '%s keeps its invariants while its component is hidden, shown and re-rendered, with timer errors and clock jumps',
  async (_, part) => {
    const consoleError = vi.spyOn(console, 'error')
    onTestFinished(() => consoleError.mockRestore())
    const instances = INSTANCES * part.weight
    expect(await part.tryShort(instances, 1)).toBeGreaterThan(instances * 10)
    expect(consoleError).not.toHaveBeenCalled()
  },
  60_000,
)
