import { expect, it, vi } from 'vitest'
import { createListeners, createStore } from '../../../src/core/shared/store.ts'

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

it('calls a listener twice that subscribed twice', () => {
  const { subscribe, notify } = createListeners()
  const listener = vi.fn()
  const [stop] = [subscribe(listener), subscribe(listener)]
  notify()
  stop()
  notify()
  expect(listener).toHaveBeenCalledTimes(3)
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
