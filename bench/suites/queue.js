import Bottleneck from 'bottleneck'
import PQueue from 'p-queue'
import * as byHand from '../by-hand/queue.js'
import * as lull from '../../dist/core/index.js'
import { each, timedAsync } from '../measure.js'
import { createRandom } from '../random.js'

const MOST = 100_000
const FEW = 1000
const PRIORITIES = 10
/** How many short queues are measured, so that the code is compiled as well as for a long one. */
const LINES = 20

const random = createRandom(1)
const priorities = Array.from({ length: MOST }, () => Math.floor(random() * PRIORITIES))

/** Each returns `add`, which adds a task, and `run`, which runs all added tasks. */
const makers = {
  'binary heap by hand': byHand.createQueue,
  lull() {
    // The other queues have no ageing.
    const queue = lull.createQueue({ concurrency: 1, ageingMs: Infinity })
    queue.pause()
    return {
      add: queue.add,
      run() {
        queue.resume()
        return queue.onIdle()
      },
    }
  },
  'p-queue'() {
    const queue = new PQueue({ concurrency: 1, autoStart: false })
    return {
      add: (task, options) => queue.add(task, options),
      run() {
        queue.start()
        return queue.onIdle()
      },
    }
  },
}

/** A task that has begun holds the others back. Bottleneck's most urgent priority is 0. */
async function bottleneck() {
  const limiter = new Bottleneck({ maxConcurrent: 1 })
  const added = []
  let end
  await new Promise((begun) => {
    added.push(limiter.schedule(() => new Promise((resolve) => begun((end = resolve)))))
  })
  return {
    add: (task, { priority }) =>
      added.push(limiter.schedule({ priority: PRIORITIES - 1 - priority }, async () => task())),
    async run() {
      // Bottleneck queues tasks asynchronously.
      while (limiter.queued() < added.length - 1)
        await new Promise((resolve) => globalThis.setImmediate(resolve))
      end()
      await Promise.all(added)
    },
  }
}

/** Returns the ns to add and run a task, with `count` in the queue. Checks that they run by priority, then in order. */
async function line(make, count) {
  // The background work after a full collection is negligible only for a long queue.
  if (count > FEW) globalThis.gc()
  const queue = await make()
  const ran = []
  const ns = await timedAsync(count, async () => {
    for (let rank = 0; rank < count; rank++) queue.add(() => ran.push(rank), { priority: priorities[rank] })
    await queue.run()
  })
  const isBefore = (a, b) => priorities[a] > priorities[b] || (priorities[a] === priorities[b] && a < b)
  if (ran.length !== count || !ran.every((rank, i) => i === 0 || isBefore(ran[i - 1], rank)))
    throw new Error(`${ran.length} of ${count} ran, or the order is wrong`)
  return ns
}

/** The same, as the mean of `lines` queues. */
const tasks =
  (make, count, lines = 1) =>
  async () => {
    let ns = 0
    for (let i = 0; i < lines; i++) ns += (await line(make, count)) / lines
    return ns
  }

const growth = (make) => async () => {
  const few = await tasks(make, FEW, LINES)()
  return (await line(make, MOST)) / few
}

export default () => [
  {
    title: 'A priority queue of 1,000 tasks',
    about:
      'The time to add and run a task. They run one at a time, the most urgent first; there are ten priorities.',
    unit: 'ns',
    rounds: 9,
    warmUp: 3,
    candidates: each({ ...makers, Bottleneck: bottleneck }, (make) =>
      tasks(make, FEW, make === bottleneck ? 1 : LINES),
    ),
  },
  {
    title: 'A priority queue of 100,000 tasks',
    about: 'The same with 100,000 in the queue. Bottleneck is left out, because it would take a minute.',
    unit: 'ns',
    goal: { row: 'lull', ratio: 1.5 },
    rounds: 3,
    warmUp: 1,
    candidates: each(makers, (make) => tasks(make, MOST)),
  },
  {
    title: 'How a priority queue grows',
    about: 'The time of a task with 100,000 in the queue, as a multiple of that with 1,000.',
    unit: 'times',
    rounds: 3,
    warmUp: 0,
    candidates: each(makers, growth),
  },
]
