// What one more waiter and one abort cost, in ns, with 1,000, 10,000 and 100,000 in line, and how that grows, beside
// pushing onto and removing from a binary heap; then the bytes that a key takes at a million of them.
import {
  createKeyedLimiter,
  createLimiter,
  createQueue,
  slidingWindowLog,
  tokenBucket,
} from '../dist/core/index.js'
import { createHeap } from '../dist/core/heap.js'
import { median, timed } from './measure.js'

const ROUNDS = 3
const WARM_UP = 1
const ended = () => undefined

function heapFloor(size) {
  const heap = createHeap((a, b) => a.rank < b.rank)
  const items = Array.from({ length: size }, (_, rank) => ({ rank, place: -1 }))
  const join = timed(size, () => items.forEach((item) => heap.push(item)))
  const abort = timed(size, () => items.forEach((item) => heap.remove(item)))
  if (heap.size > 0) throw new Error('The heap is not empty')
  return { join, abort }
}

/** `stand` makes one who waits, and `waiting` counts them. */
function inLine(size, stand, waiting) {
  const controllers = Array.from({ length: size }, () => new globalThis.AbortController())
  // Making a signal costs more than anything else here.
  const signals = controllers.map(({ signal }) => signal)
  const join = timed(size, () => signals.forEach((signal) => stand(signal).catch(ended)))
  if (waiting() !== size) throw new Error(`${waiting()} of ${size} wait`)
  const abort = timed(size, () => controllers.forEach((controller) => controller.abort()))
  if (waiting() !== 0) throw new Error(`${waiting()} still wait`)
  return { join, abort }
}

const subjects = {
  'binary heap': heapFloor,
  'wait, tokenBucket': (size) => {
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 1e-3, burst: 1 }))
    limiter.allow()
    return inLine(
      size,
      (signal) => limiter.wait(1, { signal }),
      () => limiter.snapshot().waiting,
    )
  },
  'wait with timeoutMs, tokenBucket': (size) => {
    const limiter = createLimiter(tokenBucket({ ratePerSecond: 1e-3, burst: 1 }))
    limiter.allow()
    return inLine(
      size,
      (signal) => limiter.wait(1, { signal, timeoutMs: 1e12 }),
      () => limiter.snapshot().waiting,
    )
  },
  'wait with timeoutMs, slidingWindowLog': (size) => {
    const limiter = createLimiter(slidingWindowLog({ limit: 10, windowMs: 1e6 }))
    limiter.allow(10)
    return inLine(
      size,
      (signal) => limiter.wait(1, { signal, timeoutMs: 1e14 }),
      () => limiter.snapshot().waiting,
    )
  },
  createQueue: (size) => {
    const queue = createQueue({ concurrency: 1 })
    queue.pause()
    return inLine(
      size,
      (signal) => queue.add(ended, { signal }),
      () => queue.size,
    )
  },
}

const SIZES = [1000, 10_000, 100_000]

/** Medians of each subject at each size, and how much the largest costs of the smallest. */
function growth() {
  for (const [name, run] of Object.entries(subjects)) {
    const rounds = SIZES.map((size) => {
      const all = Array.from({ length: ROUNDS + WARM_UP }, () => {
        globalThis.gc()
        return run(size)
      })
      return all.slice(WARM_UP)
    })
    for (const what of ['join', 'abort']) {
      const ns = rounds.map((round) => median(round.map((one) => one[what])))
      const shown = ns.map((each) => each.toFixed(0).padStart(7)).join('')
      console.log(`${name.padEnd(38)} ${what.padEnd(6)} ${shown}   ${(ns[2] / ns[0]).toFixed(2)} ×`)
    }
  }
}

function bytesPerKey(size) {
  const keys = Array.from({ length: size }, (_, i) => `key ${i}`)
  const limiter = createKeyedLimiter(tokenBucket({ ratePerSecond: 1, burst: 10 }), { maxKeys: size })
  const used = () => {
    globalThis.gc()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  // The strings are made whole, and the code compiled, before it counts.
  for (const key of keys) limiter.peek(key)
  const before = used()
  for (const key of keys) limiter.allow(key)
  const bytes = (used() - before) / size
  if (limiter.size !== size) throw new Error(`${limiter.size} of ${size} keys`)
  return bytes
}

growth()
console.log(`\nbytes per key at 1,000,000 keys: ${bytesPerKey(1_000_000).toFixed(1)}`)
