// What one decision costs, as a multiple of a hand-written token bucket or GCRA; reading the clock is part of it, as it is
// for who uses it. Then again with the instant given, where only the arithmetic is left.
import { execFileSync } from 'node:child_process'
import {
  createKeyedLimiter,
  createLimiter,
  fixedWindow,
  gcra,
  leakyBucket,
  slidingWindowCounter,
  slidingWindowLog,
  tokenBucket,
} from '../dist/core/index.js'
import { compare, timed } from './measure.js'

const CALLS = 200_000

function floorTokenBucket(ratePerSecond, burst) {
  const perMs = ratePerSecond / 1000
  let tokens = burst
  let last = performance.now()
  return function allow(cost = 1, at = performance.now()) {
    tokens = Math.min(burst, tokens + Math.max(0, at - last) * perMs)
    last = at
    if (tokens < cost) return false
    tokens -= cost
    return true
  }
}

function floorGcra(ratePerSecond, burst) {
  const period = 1000 / ratePerSecond
  const tolerance = burst * period
  let tat = 0
  return function allow(cost = 1, at = performance.now()) {
    const next = Math.max(tat, at) + cost * period
    if (next - at > tolerance) return false
    tat = next
    return true
  }
}

/** Ns per decision; `isAllowed` is what each has to answer, so that nothing is measured that decides wrongly. */
function decisions(make, isAllowed, at) {
  return () => {
    const allow = make()
    return timed(CALLS, (count) => {
      let right = 0
      if (at === undefined) for (let i = 0; i < count; i++) right += allow() === isAllowed
      else for (let i = 0; i < count; i++) right += allow(1, at + i * 1e-6) === isAllowed
      if (right < count) throw new Error(`${count - right} of ${count} decisions are wrong`)
    })
  }
}

/** What allows 10^9 at once, and what has no more for a long time, by each rule. */
const rules = {
  tokenBucket: [
    tokenBucket({ ratePerSecond: 1e6, burst: 1e9 }),
    tokenBucket({ ratePerSecond: 1e-3, burst: 10 }),
  ],
  gcra: [gcra({ ratePerSecond: 1e6, burst: 1e9 }), gcra({ ratePerSecond: 1e-3, burst: 10 })],
  leakyBucket: [
    leakyBucket({ ratePerSecond: 1e6, capacity: 1e9 }),
    leakyBucket({ ratePerSecond: 1e-3, capacity: 10 }),
  ],
  fixedWindow: [fixedWindow({ limit: 1e9, windowMs: 1e9 }), fixedWindow({ limit: 10, windowMs: 1e9 })],
  slidingWindowCounter: [
    slidingWindowCounter({ limit: 1e9, windowMs: 1e9 }),
    slidingWindowCounter({ limit: 10, windowMs: 1e9 }),
  ],
}

function keyed(rule) {
  const { allow } = createKeyedLimiter(rule)
  return (cost, at) => allow('key', cost, at)
}

function measureRule(name) {
  const [generous, strict] = rules[name]
  for (const [title, at] of [
    ['', undefined],
    [', the instant given', 1],
  ]) {
    for (const isAllowed of [true, false]) {
      const rule = isAllowed ? generous : strict
      const drained = (allow) => {
        if (!isAllowed) allow(10, at)
        return allow
      }
      const [rate, burst] = isAllowed ? [1e6, 1e9] : [1e-3, 10]
      compare(`${name}, ${isAllowed ? 'allowed' : 'denied'}${title}`, {
        'token bucket by hand': decisions(() => drained(floorTokenBucket(rate, burst)), isAllowed, at),
        'GCRA by hand': decisions(() => drained(floorGcra(rate, burst)), isAllowed, at),
        createLimiter: decisions(() => drained(createLimiter(rule).allow), isAllowed, at),
        createKeyedLimiter: decisions(() => drained(keyed(rule)), isAllowed, at),
      })
    }
  }
}

/** A log of 10,000 places through which entries pass: each finds one out. */
function measureLog() {
  const passing = (make) => () => {
    const allow = make()
    return timed(CALLS, (count) => {
      let allowed = 0
      for (let i = 0; i < count; i++) allowed += allow(1, i * 1e-4 + 1) ? 1 : 0
      if (allowed !== count) throw new Error(`allowed ${allowed} of ${count}`)
    })
  }
  compare('a steady flow, the instant given', {
    tokenBucket: passing(() => createLimiter(tokenBucket({ ratePerSecond: 1e7, burst: 1e4 })).allow),
    'slidingWindowLog of 10,000': passing(
      () => createLimiter(slidingWindowLog({ limit: 10_000, windowMs: 0.99985 })).allow,
    ),
  })
}

/** Bytes that decisions leave behind, refused ones too. */
function measureAllocation() {
  const { allow } = createLimiter(tokenBucket({ ratePerSecond: 1e6, burst: 100 }))
  let allowed = 0
  const decide = (count) => {
    for (let i = 0; i < count; i++) allowed += allow(1, i * 7e-4) ? 1 : 0
  }
  decide(CALLS)
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  decide(1e6)
  const bytes = (process.memoryUsage().heapUsed - before) / 1e6
  console.log(`\nbytes allocated by a decision: ${bytes.toFixed(2)} (${allowed} of 1,200,000 allowed)`)
}

// Each rule in a process of its own, as most programs use one: the compiler then sees one.
const [, file, name] = process.argv
if (name === 'log') measureLog()
else if (name === 'allocation') measureAllocation()
else if (name) measureRule(name)
else
  for (const part of [...Object.keys(rules), 'log', 'allocation'])
    execFileSync(process.execPath, ['--expose-gc', file, part], { stdio: 'inherit' })
