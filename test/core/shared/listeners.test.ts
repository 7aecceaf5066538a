import { expect, it, vi } from 'vitest'
import { createListeners } from '../../../src/core/shared/listeners.ts'
import { createWatchers } from '../../../src/core/shared/watchers.ts'

it('calls each listener once, in the order they came', () => {
  const { subscribe, notify } = createListeners()
  const heard: string[] = []
  subscribe(() => heard.push('a'))
  subscribe(() => heard.push('b'))
  subscribe(() => heard.push('c'))
  notify()
  expect(heard).toEqual(['a', 'b', 'c'])
})

it('calls nobody where nobody listens', () => {
  expect(() => createListeners().notify()).not.toThrow()
})

it('gives no arguments', () => {
  const { subscribe, notify } = createListeners()
  const listener = vi.fn()
  subscribe(listener)
  notify()
  expect(listener.mock.calls).toEqual([[]])
})

it('no longer calls who has unsubscribed, once or twice', () => {
  const { subscribe, notify } = createListeners()
  const [gone, here] = [vi.fn(), vi.fn()]
  const unsubscribe = subscribe(gone)
  subscribe(here)
  unsubscribe()
  unsubscribe()
  notify()
  expect(gone).not.toHaveBeenCalled()
  expect(here).toHaveBeenCalledTimes(1)
})

it('answers nothing from unsubscribing, so that it may end an effect', () => {
  const unsubscribe: () => unknown = createListeners().subscribe(vi.fn())
  expect(unsubscribe()).toBe(undefined)
})

it('lets a listener unsubscribe itself and others while it is told', () => {
  const { subscribe, notify } = createListeners()
  const other = vi.fn()
  const unsubscribe = subscribe(() => {
    unsubscribe()
    unsubscribeOther()
  })
  const unsubscribeOther = subscribe(other)
  const last = vi.fn()
  subscribe(last)
  notify()
  notify()
  expect(other).not.toHaveBeenCalled()
  expect(last).toHaveBeenCalledTimes(2)
})

it('comes to an end where a listener unsubscribes and subscribes again while it is told', () => {
  const { subscribe, notify } = createListeners()
  let told = 0
  const listener = () => {
    // Without this the test would not end either.
    if (++told > 10) return
    unsubscribe()
    unsubscribe = subscribe(listener)
  }
  let unsubscribe = subscribe(listener)
  notify()
  expect(told).toBe(1)
  notify()
  expect(told).toBe(2)
})

it('keeps the rest from hearing where a listener throws', () => {
  const { subscribe, notify } = createListeners()
  const rest = vi.fn()
  subscribe(() => {
    throw new Error('bad')
  })
  subscribe(rest)
  expect(notify).toThrow('bad')
  expect(rest).not.toHaveBeenCalled()
})

it('knows whether anybody watches, however often one stops', () => {
  const watchers = createWatchers()
  const { subscribe, notify } = watchers
  const heard: string[] = []
  notify()
  expect(watchers.isWatched()).toBe(false)
  const stopA = subscribe(() => heard.push('a'))
  const stopB = subscribe(() => heard.push('b'))
  notify()
  stopA()
  stopA()
  expect(watchers.isWatched()).toBe(true)
  notify()
  stopB()
  expect(watchers.isWatched()).toBe(false)
  notify()
  expect(heard).toEqual(['a', 'b', 'b'])
})
