import { createManualClock } from 'lull/testing'
import { debounce } from 'lull/core'
import { expect, it, vi } from 'vitest'

const setUp = () => {
  const clock = createManualClock()
  const runs: unknown[] = []
  const debounced = debounce((value: unknown) => runs.push(value), 100, { clock })
  return { clock, runs, debounced }
}

it('is a function with methods that may be taken off it, each the same one for ever', () => {
  const { runs, debounced } = setUp()
  const { cancel, flush, isPending } = debounced
  debounced('a')
  expect(isPending()).toBe(true)
  cancel()
  expect(isPending()).toBe(false)
  debounced('b')
  flush()
  expect(runs).toEqual(['b'])
  expect(debounced.cancel).toBe(cancel)
  expect(debounced).toBeInstanceOf(Function)
  expect(debounced.name).toBe('debounced')
})

it('lends each function the methods of its own owner', () => {
  const [one, other] = [setUp(), setUp()]
  one.debounced('one')
  other.debounced('other')
  expect(one.debounced.cancel).not.toBe(other.debounced.cancel)
  one.debounced.cancel()
  expect([one.clock.pending, other.clock.pending]).toEqual([0, 1])
  other.debounced.flush()
})

it('can be spied on and replaced, asked for before or not', () => {
  for (const isAsked of [false, true]) {
    const { runs, debounced } = setUp()
    if (isAsked) debounced.flush()
    const flush = vi.spyOn(debounced, 'flush')
    debounced('a')
    debounced.flush()
    expect(flush).toHaveBeenCalledTimes(1)
    expect(runs).toEqual(['a'])
    const cancel = vi.fn()
    debounced.cancel = cancel
    debounced.cancel()
    expect(cancel).toHaveBeenCalledTimes(1)
  }
})

it('is not harmed by what looks at the prototype', () => {
  const { debounced } = setUp()
  const prototype = Object.getPrototypeOf(debounced) as Record<string, unknown>
  expect(prototype['cancel']).toBeTypeOf('function')
  debounced('a')
  debounced.cancel()
  expect(debounced.isPending()).toBe(false)
  expect(Object.keys(setUp().debounced)).toEqual([])
})

it('has what was asked for as its own, as if it had been assigned', () => {
  const { debounced } = setUp()
  expect(debounced.flush).toBeTypeOf('function')
  debounced.cancel = () => undefined
  for (const name of ['flush', 'cancel'] as const) {
    expect(Object.getOwnPropertyDescriptor(debounced, name)).toEqual({
      value: debounced[name],
      writable: true,
      enumerable: true,
      configurable: true,
    })
  }
})
