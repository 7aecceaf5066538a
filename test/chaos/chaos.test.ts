import { expect, it } from 'vitest'
import { parts } from './parts.ts'

/** So that all of them take some seconds; `npm run soak` is for more. */
const LIVES = 40

it.each(parts.map((part) => [part.name, part] as const))(
  '%s keeps its laws, whatever is done to it and however late, early or set back its clock is',
  async (_, part) => {
    const lives = LIVES * part.weight
    expect(await part.tryShort(lives, 1)).toBeGreaterThan(lives * 10)
  },
)
