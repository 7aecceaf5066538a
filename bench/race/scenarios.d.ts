/** Numbers from 0 to below 1, the same for the same seed. */
export function createRandom(seed: number): () => number
