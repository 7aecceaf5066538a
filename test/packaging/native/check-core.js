import assert from 'node:assert'
import { createNative } from './native-globals.js'

const { load, run } = createNative()
assert.strictEqual(
  run('typeof document + typeof DOMException + typeof AbortSignal.any'),
  'undefinedundefinedundefined',
)
load('core')

const said = await run(`(async () => {
  const { batch, createWaitingLimiter, createConcurrencyLimiter, createQueue, debounce, debounceAsync, throttleFrame, tokenBucket } = core
  const messageOf = (promise) => promise.then(String, (error) => String(error?.name))
  const said = {}

  said.debounce = await new Promise((done) => {
    const soon = debounce(done, 20)
    for (const word of ['one', 'two', 'three']) soon(word)
  })
  said.frame = await new Promise((done) => throttleFrame(done)('frame'))

  const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 0, burst: 1 }))
  said.allow = [limiter.allow(), limiter.allow()].join()

  const slow = createWaitingLimiter(tokenBucket({ ratePerSecond: 0.001, burst: 1 }))
  await slow.wait()
  const controller = new AbortController()
  const waiting = slow.wait(1, { signal: controller.signal })
  controller.abort()
  said.waitAborted = await messageOf(waiting)
  said.waitAfterAbort = await messageOf(slow.wait(1, { signal: controller.signal }))
  said.timeout = await messageOf(slow.wait(1, { timeoutMs: 10 }))

  const slots = createConcurrencyLimiter({ limit: 1 })
  said.slotAfterAbort = await messageOf(slots.acquire({ signal: controller.signal }))

  const sizes = batch((items) => items.map((item) => item.length), { wait: 10 })
  said.batch = await sizes.add('four')
  const lost = sizes.add('lost')
  sizes.cancel()
  said.batchCancelled = await messageOf(lost)

  const queue = createQueue({ concurrency: 1, capacity: 5 })
  const first = queue.add(() => new Promise(() => undefined))
  const second = queue.add(() => 'second')
  queue.clear()
  said.queueCleared = await messageOf(second)

  const find = debounceAsync(async (signal, text) => text.toUpperCase(), 10)
  said.async = (await find('found')).value
  return said
})()`)

assert.deepEqual(
  { ...said },
  {
    debounce: 'three',
    frame: 'frame',
    allow: 'true,false',
    waitAborted: 'AbortError',
    waitAfterAbort: 'AbortError',
    timeout: 'RateLimitError',
    slotAfterAbort: 'AbortError',
    batch: 4,
    batchCancelled: 'AbortError',
    queueCleared: 'AbortError',
    async: 'FOUND',
  },
)
