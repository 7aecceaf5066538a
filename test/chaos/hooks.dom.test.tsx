import { expect, it, onTestFinished, vi } from 'vitest'
import { hookParts } from './hooks/hook-parts.ts'

const LIVES = 120

it.each(hookParts.map((part) => [part.name, part] as const))(
  '%s keeps its laws, whatever becomes of its component and however late, early or set back its clock is',
  async (_, part) => {
    const complaints = vi.spyOn(console, 'error')
    onTestFinished(() => complaints.mockRestore())
    const lives = LIVES * part.weight
    expect(await part.tryShort(lives, 1)).toBeGreaterThan(lives * 10)
    expect(complaints).not.toHaveBeenCalled()
  },
  60_000,
)
