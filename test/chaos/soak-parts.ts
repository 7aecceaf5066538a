import { expect, it } from 'vitest'
import type { ChaosPart } from './part.ts'

const SEED = Number(process.env['LULL_SOAK_SEED'] ?? 1)
/** About what a short life has. */
const STEPS_OF_A_LIFE = 30

/**
 * The heap has grown by what it is greater, at three quarters and at the end of a long life, than at its first quarter: at both, for
 * what the engine keeps for itself comes and goes, and a leak only grows. So much, in bytes, is flat: a leak of one small object
 * (48 bytes) in four steps is more from 45,000 steps on.
 */
const FLAT = 256 * 1024

function heapUsed(): number {
  for (let times = 0; times < 3; times++) globalThis.gc!()
  return process.memoryUsage().heapUsed
}

const inKilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`

/**
 * A test of each part.
 *
 * @param steps in all, if `LULL_SOAK_STEPS` is a million: for each part a fifth in short lives, the rest in a long one.
 * @param flat the growth in bytes that is none.
 */
export function soakParts(parts: readonly ChaosPart[], steps: number, flat = FLAT): void {
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0)
  const scale = Number(process.env['LULL_SOAK_STEPS'] ?? 1_000_000) / 1_000_000

  it.each(parts.map((part) => [part.name, part] as const))('%s', async (name, part) => {
    const share = (steps * scale * part.weight) / weights
    const before = heapUsed()
    const short = await part.tryShort(Math.ceil(share / 5 / STEPS_OF_A_LIFE), SEED)
    const heaps: number[] = []
    const long = await part.tryLong(Math.ceil((share * 4) / 5), SEED, () => heaps.push(heapUsed()))
    const after = heapUsed()
    console.log(
      `${name}: ${short} steps in short lives, ${long} in a long one; heap ${inKilobytes(before)} before, ` +
        `${heaps.map(inKilobytes).join(', ')} at the quarters, ${inKilobytes(after)} after`,
    )
    const growth = Math.min(...heaps.slice(2)) - heaps[0]!
    expect(growth, `grew by ${inKilobytes(growth)}`).toBeLessThanOrEqual(flat)
  })
}
