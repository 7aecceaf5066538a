import { afterEach, expect, it, vi } from 'vitest'
import { createListeners, createStore } from '../../../src/core/shared/store.ts'

afterEach(() => vi.restoreAllMocks())

it('does not call an unsubscribed listener, also after a second unsubscribe', () => {
  const { subscribe, notify } = createListeners()
  const [gone, here] = [vi.fn(), vi.fn()]
  const unsubscribe: () => unknown = subscribe(gone)
  subscribe(here)
  // Returns undefined, so that it can be the cleanup of an effect.
  expect([unsubscribe(), unsubscribe()]).toEqual([undefined, undefined])
  notify()
  expect([gone.mock.calls.length, here.mock.calls.length]).toEqual([0, 1])
})

it('allows a listener to unsubscribe itself and others while it is called', () => {
  const { subscribe, notify } = createListeners()
  const [other, last] = [vi.fn(), vi.fn()]
  const unsubscribe = subscribe(() => {
    unsubscribe()
    unsubscribeOther()
  })
  const unsubscribeOther = subscribe(other)
  subscribe(last)
  notify()
  notify()
  expect([other.mock.calls.length, last.mock.calls.length]).toEqual([0, 2])
})

it('reports an error of a listener, and calls the others', () => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { subscribe, notify } = createListeners()
  const rest = vi.fn()
  const error = new Error('bad')
  subscribe(() => {
    throw error
  })
  subscribe(rest)
  notify()
  expect(rest).toHaveBeenCalledTimes(1)
  expect(reported.mock.calls).toEqual([[error]])
})

it('has no listener left after repeated unsubscribes', () => {
  const { subscribe, notify, listeners } = createListeners()
  notify()
  expect(listeners.size).toBe(0)
  const [stopA, stopB] = [subscribe(vi.fn()), subscribe(vi.fn())]
  stopA()
  stopA()
  expect(listeners.size).toBe(1)
  stopB()
  expect(listeners.size).toBe(0)
})

it('returns the same frozen snapshot until a member changes', () => {
  const state = { size: 0, until: NaN, name: undefined as string | undefined }
  const { snapshot } = createStore(() => ({ ...state }))
  const before = snapshot()
  expect(snapshot()).toBe(before)
  expect(Object.isFrozen(before)).toBe(true)
  state.name = 'a'
  const after = snapshot()
  expect(after).toEqual({ size: 0, until: NaN, name: 'a' })
  expect(before).toEqual({ size: 0, until: NaN, name: undefined })
  expect(snapshot()).toBe(after)
})

it('makes a new snapshot if a member is added or removed', () => {
  let members: object = {}
  const { snapshot } = createStore(() => members)
  const shots = [{ a: 1 }, {}, { b: 2 }].map((next) => {
    members = next
    return snapshot()
  })
  expect(shots).toEqual([{ a: 1 }, {}, { b: 2 }])
})
