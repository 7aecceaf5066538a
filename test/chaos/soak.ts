import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { parts } from './parts.ts'

const SEED = Number(process.env['LULL_SOAK_SEED'] ?? 1)
/** The approximate length of a short script. */
const STEPS_PER_SCRIPT = 30

/**
 * The allowed heap growth in bytes between the first quarter of a long run and the smaller of its third
 * quarter and its end: the engine's own memory goes up and down, a leak only grows. A leak of one small
 * object (48 bytes) in four steps exceeds this from 45,000 steps on.
 */
const MAX_GROWTH_BYTES = 256 * 1024

async function heapUsed(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    globalThis.gc!()
    // The engine lets go of abort signals only between two tasks.
    await setImmediate()
  }
  return process.memoryUsage().heapUsed
}

const inKilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`

/** The steps of all parts; of each part's share a fifth goes to short scripts, the rest to a long one. */
const STEPS = Number(process.env['LULL_SOAK_STEPS'] ?? 1_000_000)
const weights = parts.reduce((sum, { weight }) => sum + weight, 0)

it.each(parts.map((part) => [part.name, part] as const))('%s', async (name, part) => {
  const share = (STEPS * part.weight) / weights
  const before = await heapUsed()
  const short = await part.tryShort(Math.ceil(share / 5 / STEPS_PER_SCRIPT), SEED)
  const heaps: number[] = []
  const long = await part.tryLong(Math.ceil((share * 4) / 5), SEED, async () => heaps.push(await heapUsed()))
  const after = await heapUsed()
  console.log(
    `${name}: ${short} steps in short scripts, ${long} in a long one; heap ${inKilobytes(before)} before, ` +
      `${heaps.map(inKilobytes).join(', ')} at the quarters, ${inKilobytes(after)} after`,
  )
  const growth = Math.min(...heaps.slice(2)) - heaps[0]!
  expect(growth, `grew by ${inKilobytes(growth)}`).toBeLessThanOrEqual(MAX_GROWTH_BYTES)
})
