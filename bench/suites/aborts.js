import PQueue from 'p-queue'
import * as byHand from '../by-hand/queue.js'
import * as lull from '../../dist/core/index.js'
import { each, timed } from '../measure.js'
import { PlainSignal } from '../plain-signal.js'
import { createRandom } from '../random.js'

const MOST = 100_000
const MORE = 10_000
const FEW = 1000
const task = () => undefined
const reason = new Error('It is aborted')

function limiter(rule) {
  const { allow, wait, snapshot } = lull.createWaitingLimiter(rule)
  while (allow());
  return { stand: (signal) => wait(1, { signal }), size: () => snapshot().waiting }
}

/** Each returns `stand`, which adds one that a signal can remove, and `size`, which returns how many wait. */
const makers = {
  'binary heap by hand'() {
    const queue = byHand.createQueue()
    return { stand: (signal) => queue.add(task, { signal }), size: () => queue.size }
  },
  'lull, `createQueue`'() {
    const queue = lull.createQueue({ concurrency: 1 })
    queue.pause()
    return { stand: (signal) => queue.add(task, { signal }), size: () => queue.size }
  },
  'lull, `wait` of a token bucket': () => limiter(lull.tokenBucket({ ratePerSecond: 1e-4, burst: 1 })),
  'lull, `wait` of a sliding window': () =>
    limiter(lull.slidingWindowLog({ limit: 10, windowMs: 3_600_000 })),
}

function pQueue() {
  const queue = new PQueue({ concurrency: 1, autoStart: false })
  return { stand: (signal) => queue.add(task, { signal }), size: () => queue.size }
}

const inOrder = (count) => Array.from({ length: count }, (_, i) => i)

const random = createRandom(1)

function shuffled(count) {
  const order = inOrder(count)
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1))
    ;[order[i], order[other]] = [order[other], order[i]]
  }
  return order
}

/** Returns the ns to add each of `count`, and the ns to remove each by its signal, in the given `order`. */
async function inLine(make, count, order) {
  // The background work after a full collection is negligible only for a long queue.
  if (count > FEW) globalThis.gc()
  const { stand, size } = make()
  const signals = Array.from({ length: count }, () => new PlainSignal())
  let aborted = 0
  const join = timed(count, () => signals.forEach((signal) => stand(signal).catch(() => aborted++)))
  if (size() !== count) throw new Error(`${size()} of ${count} wait`)
  const leaving = order(count)
  const abort = timed(count, () => leaving.forEach((i) => signals[i].abort(reason)))
  await new Promise((resolve) => setTimeout(resolve))
  if (size() !== 0 || aborted !== count) throw new Error(`${size()} still wait, ${aborted} were rejected`)
  return { join, abort }
}

const orders = { join: inOrder, abort: shuffled }

const cost = (what, count) => (make) => async () => (await inLine(make, count, orders[what]))[what]

/** The cost in a queue of `MOST`, as a multiple of the mean cost in queues of `FEW`. */
const growth = (what) => (make) => async () => {
  const lines = 20
  let few = 0
  for (let line = 0; line < lines; line++) few += (await cost(what, FEW)(make)()) / lines
  return (await cost(what, MOST)(make)()) / few
}

const rounds = { rounds: 3, warmUp: 0 }

export default () => [
  {
    title: 'Joining a queue of up to 10,000',
    about: 'The time of a call that waits for its turn, with a signal.',
    unit: 'ns',
    ...rounds,
    candidates: each({ ...makers, 'p-queue': pQueue }, cost('join', MORE)),
  },
  {
    title: 'An abort, with 10,000 in the queue',
    about: 'What it takes to remove one from anywhere in the queue and to reject its call; all are removed.',
    unit: 'ns',
    ...rounds,
    candidates: each({ ...makers, 'p-queue': pQueue }, cost('abort', MORE)),
  },
  {
    title: 'How joining a queue grows',
    about: 'What a call takes to join a queue of 100,000, as a multiple of what it takes in one of 1,000.',
    unit: 'times',
    rounds: 1,
    warmUp: 0,
    candidates: each(makers, growth('join')),
  },
  {
    title: 'How an abort grows',
    about: 'The same for an abort.',
    unit: 'times',
    rounds: 1,
    warmUp: 0,
    candidates: each(makers, growth('abort')),
  },
]
