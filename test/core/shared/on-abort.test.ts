import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { onAbort, untilAborted } from '../../../src/core/shared/abort.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

it('keeps one listener for all, the last of whom takes it away', () => {
  const { signal } = new AbortController()
  const stops = [1, 2, 3].map(() => onAbort(signal, () => undefined))
  for (const stop of stops) {
    expect(listeners(signal)).toBe(1)
    stop()
    stop()
  }
  expect(listeners(signal)).toBe(0)
})

it('tells who is left, the last first, after others have gone', () => {
  const controller = new AbortController()
  const told: string[] = []
  const [stopFirst] = ['first', 'second', 'third'].map((name) =>
    onAbort(controller.signal, () => told.push(name)),
  )
  stopFirst!()
  controller.abort()
  expect(told).toEqual(['third', 'second'])
})

it('who stops twice takes nothing from who came later', () => {
  const controller = new AbortController()
  const told: string[] = []
  const stop = onAbort(controller.signal, () => told.push('first'))
  stop()
  onAbort(controller.signal, () => told.push('second'))
  stop()
  expect(listeners(controller.signal)).toBe(1)
  controller.abort()
  expect(told).toEqual(['second'])
})

it('a promise that need not be waited for is given as it is', () => {
  const promise = Promise.resolve()
  expect(untilAborted(promise, undefined)).toBe(promise)
})

it('a promise is left in the tick of the abort, with its reason, and no listener stays', async () => {
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
