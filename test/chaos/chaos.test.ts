import { expect, it, vi } from 'vitest'
import { parts } from './parts.ts'

/** Instances per part: a few seconds in all. `npm run soak` runs more. */
const INSTANCES = 100

it.each(parts.map((part) => [part.name, part] as const))(
  '%s keeps its invariants under random steps, with late and early timers and clock jumps',
  async (_, part) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    expect(await part.tryShort(INSTANCES, 1)).toBeGreaterThan(INSTANCES * 10)
  },
)
