// One process, interleaved rounds, and the median of each round's ratios, so that other load on the machine slows all alike.

/** The value below which `share` of `numbers` lies, interpolated between two of them. */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)]
  return below + (sorted[Math.ceil(place)] - below) * (place % 1)
}

export const median = (numbers) => quantile(numbers, 0.5)

/**
 * Returns a row for each of `samples` ([name, numbers], a number per round): the median, the median of its multiples of the
 * first sample round by round, and their quartiles `low` and `high`. If the first sample has a 0, there are no multiples.
 */
export function summarize(samples) {
  const [[, base]] = samples
  const isMultiple = base.every((number) => number > 0)
  return samples.map(([name, own]) => {
    const row = { name, median: median(own) }
    if (!isMultiple) return row
    const ratios = own.map((number, round) => number / base[round])
    return { ...row, ratio: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) }
  })
}

/**
 * Runs each of `candidates` (name → function that returns or resolves with a number) in turn, `rounds` times, and compares
 * them with the first. Each round begins with another candidate, so that each is first in turn.
 */
export async function compare({ candidates, rounds = 25, warmUp = 5, ...about }) {
  const names = Object.keys(candidates)
  const samples = names.map((name) => [name, []])
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const [name, numbers] = samples[(round + turn) % names.length]
      // Collects the garbage of the candidate before, so that it is not measured with this one.
      globalThis.gc?.({ type: 'minor' })
      const number = await candidates[name]()
      if (!Number.isFinite(number)) throw new Error(`${about.title}: ${name} measured ${number}`)
      if (round >= warmUp) numbers.push(number)
    }
  }
  return { ...about, rounds, rows: summarize(samples) }
}

/** Makes a candidate with `measure` from each of `things` (name → thing). */
export const each = (things, measure) =>
  Object.fromEntries(Object.entries(things).map(([name, thing]) => [name, measure(thing, name)]))

/** The CPU time of this process, in ns, which excludes that of other programs. */
function cpuTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

/** Ns per call, for a `run` that makes `count` calls. */
export function timed(count, run) {
  const start = cpuTime()
  run(count)
  return (cpuTime() - start) / count
}

/** The same for a `run` that resolves when its calls have ended. */
export async function timedAsync(count, run) {
  const start = cpuTime()
  await run(count)
  return (cpuTime() - start) / count
}

function bytesHeld() {
  globalThis.gc()
  // The first call frees unused buffers in the background; the second waits for that.
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Returns the bytes that `run` leaves in use, and its result as `kept`, which keeps them alive until they are counted. */
export function bytesKept(run) {
  const before = bytesHeld()
  const kept = run()
  const bytes = bytesHeld() - before
  return { bytes, kept }
}
