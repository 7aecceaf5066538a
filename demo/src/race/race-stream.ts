/** The typed words; each replaces the one before. */
const words = ['san francisco', 'lima', 'oslo', 'rome', 'paris', 'new york']
/** Ranges of the time between two keys of a word, and after a word, in ms. */
const KEY_MS = [50, 100] as const
const REST_MS = [480, 600] as const

/** Of the whole stream, whatever its seed. */
export const KEYSTROKES = words.join('').length

export interface Key {
  /** In ms since the start. */
  readonly at: number
  /** The text after this key. */
  readonly text: string
}

/** A stream of keystrokes, deterministic for each seed. */
export function raceStream(seed: number): readonly Key[] {
  const random = createRandom(seed)
  const between = ([least, most]: readonly [number, number]) => least + random() * (most - least)
  let at = 50
  return words.flatMap((word) => {
    const keys = Array.from(word, (_, index) => ({
      at: (at += between(KEY_MS)),
      text: word.slice(0, index + 1),
    }))
    at += between(REST_MS)
    return keys
  })
}

/** mulberry32: numbers that are at least 0 and below 1. */
function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
