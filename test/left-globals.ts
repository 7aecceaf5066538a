import { afterAll, expect } from 'vitest'

/** What tests put something else in the place of. */
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
    performance,
  } = globalThis
  const timers = { setTimeout, clearTimeout, setInterval, setImmediate, queueMicrotask }
  return { ...timers, performance, Date, fetch, DOMException }
}

const before = read()

// Files share a process: a fake timer that one leaves behind makes another hang, and only in some order.
afterAll(() => {
  const after = read()
  for (const [name, value] of Object.entries(before))
    expect(after[name] === value, `${name} is given back`).toBe(true)
})
