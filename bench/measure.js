// One process, rounds interleaved, medians of the ratios round by round: what the machine does meanwhile hits all alike.

/** The value below which `share` of `numbers` lies; between two of them, in proportion. */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)]
  return below + (sorted[Math.ceil(place)] - below) * (place % 1)
}

export const median = (numbers) => quantile(numbers, 0.5)

/**
 * A row for each of `samples` ([name, numbers], a number for each round): the median, and the median of what it is in each
 * round as a multiple of the first, between the quartiles `low` and `high`. Of nothing there is no multiple.
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
 * Runs each of `candidates` (name → what answers or resolves with a number) in turn, `rounds` times, and says what they are
 * beside the first. Each round begins with another, so that none always follows the same one.
 */
export async function compare({ candidates, rounds = 25, warmUp = 5, ...about }) {
  const names = Object.keys(candidates)
  const samples = names.map((name) => [name, []])
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const [name, numbers] = samples[(round + turn) % names.length]
      // What the one before left behind is not this one's to collect.
      globalThis.gc?.({ type: 'minor' })
      const number = await candidates[name]()
      if (!Number.isFinite(number)) throw new Error(`${about.title}: ${name} measured ${number}`)
      if (round >= warmUp) numbers.push(number)
    }
  }
  return { ...about, rounds, rows: summarize(samples) }
}

/** A candidate, by `measure`, of each of `things` (name → thing). */
export const each = (things, measure) =>
  Object.fromEntries(Object.entries(things).map(([name, thing]) => [name, measure(thing, name)]))

/** Of this process, in ns: what other programs take of the machine meanwhile is not ours. */
function cpuTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

/** Ns per call of `run`, called `count` times at once. */
export function timed(count, run) {
  const start = cpuTime()
  run(count)
  return (cpuTime() - start) / count
}

/** The same of what is over when a promise is. */
export async function timedAsync(count, run) {
  const start = cpuTime()
  await run(count)
  return (cpuTime() - start) / count
}

function bytesHeld() {
  globalThis.gc()
  // The buffers that the first found unused are freed in the background; the second waits for that.
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Bytes that `run` leaves in use, of which `kept`, what it answers, holds on to all until they are counted. */
export function bytesKept(run) {
  const before = bytesHeld()
  const kept = run()
  const bytes = bytesHeld() - before
  return { bytes, kept }
}
