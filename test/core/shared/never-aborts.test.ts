import { defaultMaxListeners, getEventListeners } from 'node:events'
import { createQueue } from 'lull/core'
import { expect, it } from 'vitest'

it('gives tasks without a signal one that never aborts, which so few share that two listeners each are not too many', async () => {
  const queue = createQueue()
  const signals = await Promise.all(
    Array.from({ length: 40 }, () =>
      queue.add((signal) => {
        signal.addEventListener('abort', () => undefined)
        signal.addEventListener('abort', () => undefined)
        return signal
      }),
    ),
  )
  expect(signals.map((signal) => signal.aborted)).not.toContain(true)
  const most = Math.max(...signals.map((signal) => getEventListeners(signal, 'abort').length))
  expect(most).toBeGreaterThan(2)
  expect(most).toBeLessThanOrEqual(defaultMaxListeners)
})

it('gives queues signals of their own', async () => {
  const signalOf = () => createQueue().add((signal) => signal)
  expect(await signalOf()).not.toBe(await signalOf())
})
