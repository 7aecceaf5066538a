import { afterAll, expect } from 'vitest'

/** The globals that tests replace. */
const read = (): Record<string, unknown> => {
  const {
    setTimeout,
    clearTimeout,
    setInterval,
    setImmediate,
    queueMicrotask,
    Date,
    fetch,
    DOMException,
    AbortController,
    Request,
    performance,
  } = globalThis
  const timers = { setTimeout, clearTimeout, setInterval, setImmediate, queueMicrotask }
  return { ...timers, performance, Date, fetch, DOMException, AbortController, Request }
}

const before = read()

// Files share a process: a fake timer left by one file hangs another, depending on their order.
afterAll(() => {
  const after = read()
  for (const [name, value] of Object.entries(before))
    expect(after[name] === value, `${name} is given back`).toBe(true)
})
