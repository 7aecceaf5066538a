/** Returns a source of numbers, at least 0 and below 1, that depend only on the seed. */
export function createRandom(seed: number): () => number
