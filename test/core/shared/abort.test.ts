import { getEventListeners } from 'node:events'
import { batch, createQueue } from 'lull/core'
import { createRateLimitedFetch } from 'lull/fetch'
import { createManualClock } from 'lull/testing'
import { expect, it, vi } from 'vitest'
import { eitherSignal, onAbort, untilAborted } from '../../../src/core/shared/abort.ts'
import { PlainController } from '../../fetch/fixtures/start.ts'

const abortError = expect.objectContaining({ name: 'AbortError' }) as unknown

function withoutDomException(): void {
  vi.stubGlobal('DOMException', undefined)
}

it('a cancelled batch and a cleared queue reject with an AbortError without DOMException', async () => {
  withoutDomException()
  const clock = createManualClock()
  const items = batch(() => undefined, { wait: 10, clock })
  const item = items.add('item')
  items.cancel()
  await expect(item).rejects.toMatchObject({ name: 'AbortError', message: 'The batch was cancelled' })

  const queue = createQueue({ concurrency: 1, clock })
  void queue.add(() => new Promise(() => undefined))
  const task = queue.add(() => undefined)
  queue.clear()
  await expect(task).rejects.toEqual(abortError)
})

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

it('keeps one listener for all, and removes it with the last', () => {
  const { signal } = new AbortController()
  const stops = [1, 2, 3].map(() => onAbort(signal, () => undefined))
  for (const stop of stops) {
    expect(listeners(signal)).toBe(1)
    stop()
    stop()
  }
  expect(listeners(signal)).toBe(0)
})

it('calls the remaining listeners, the last first, after others were removed', () => {
  const controller = new AbortController()
  const told: string[] = []
  const [stopFirst] = ['first', 'second', 'third'].map((name) =>
    onAbort(controller.signal, () => told.push(name)),
  )
  stopFirst!()
  controller.abort()
  expect(told).toEqual(['third', 'second'])
})

it('rejects in the tick of the abort with its reason, leaves no listener, and needs no signal', async () => {
  const promise = Promise.resolve()
  expect(untilAborted(promise, undefined)).toBe(promise)
  const controller = new AbortController()
  const left = untilAborted(new Promise(() => undefined), controller.signal)
  controller.abort('reason')
  await expect(left).rejects.toBe('reason')
  await expect(untilAborted(Promise.resolve('value'), controller.signal)).rejects.toBe('reason')
  const { signal } = new AbortController()
  expect(await untilAborted(Promise.resolve('value'), signal)).toBe('value')
  await expect(untilAborted(Promise.reject(new Error('own')), signal)).rejects.toThrow('own')
  expect(listeners(signal)).toBe(0)
})

it.each([[0], [1]])('without AbortSignal.any the combined signal aborts with either: number %i', (first) => {
  vi.stubGlobal('AbortSignal', EventTarget)
  const controllers = [new AbortController(), new AbortController()] as const
  const make = (): AbortSignal => eitherSignal(controllers[0].signal, controllers[1].signal)
  const early = make()
  expect(early.aborted).toBe(false)
  controllers[first]!.abort('why')
  const late = make()
  controllers[1 - first]!.abort('too late')
  expect([early.reason, late.reason]).toEqual(['why', 'why'])
})

it('a rate-limited fetch rejects with named errors where there is no DOMException and signals have no reason', async () => {
  withoutDomException()
  const clock = createManualClock()
  const never = (): Promise<Response> => new Promise(() => undefined)
  const options = { concurrency: 1, attemptTimeoutMs: 100, maxRetries: 0 }
  const fetch = createRateLimitedFetch({ fetch: never, clock, ...options })
  const controller = new PlainController()
  const { signal } = controller
  const late = fetch('https://a.test/')
  const aborted = fetch('https://a.test/', { signal })
  controller.abort()
  await expect(aborted).rejects.toEqual(abortError)
  await expect(fetch('https://a.test/', { signal })).rejects.toEqual(abortError)
  const left = fetch('https://a.test/')
  fetch.dispose()
  await expect(left).rejects.toEqual(abortError)
  await Promise.all([expect(late).rejects.toMatchObject({ name: 'TimeoutError' }), clock.advanceAsync(100)])
})
