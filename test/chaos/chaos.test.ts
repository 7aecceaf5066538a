import { expect, it } from 'vitest'
import { parts } from './parts.ts'

/** So that all of them take some seconds; `npm run soak` is for more. */
const LIVES = 100

it.each(parts.map((part) => [part.name, part] as const))(
  '%s keeps its laws, whatever is done to it and however late, early or set back its clock is',
  async (_, part) => {
    expect(await part.tryShort(LIVES, 1)).toBeGreaterThan(LIVES * 10)
  },
)
