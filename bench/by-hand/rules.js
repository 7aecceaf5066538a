// The shortest functions that decide like each rule. Each takes a cost and an instant, as lull's rules do.

export function tokenBucket({ ratePerSecond, burst }) {
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

export function gcra({ ratePerSecond, burst }) {
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

export function leakyBucket({ ratePerSecond, capacity }) {
  const perMs = ratePerSecond / 1000
  let level = 0
  let last = performance.now()
  return function allow(cost = 1, at = performance.now()) {
    level = Math.max(0, level - Math.max(0, at - last) * perMs)
    last = at
    if (level + cost > capacity) return false
    level += cost
    return true
  }
}

export function fixedWindow({ limit, windowMs }) {
  let start = -Infinity
  let count = 0
  return function allow(cost = 1, at = performance.now()) {
    if (at >= start + windowMs) {
      start = Math.floor(at / windowMs) * windowMs
      count = 0
    }
    if (count + cost > limit) return false
    count += cost
    return true
  }
}

export function slidingWindowCounter({ limit, windowMs }) {
  let start = -Infinity
  let count = 0
  let before = 0
  return function allow(cost = 1, at = performance.now()) {
    if (at >= start + windowMs) {
      before = at < start + 2 * windowMs ? count : 0
      start = Math.floor(at / windowMs) * windowMs
      count = 0
    }
    const estimate = before * (1 - (at - start) / windowMs) + count
    if (Math.floor(estimate) + cost > limit) return false
    count += cost
    return true
  }
}

/** Keeps the instants in a ring buffer. */
export function slidingWindowLog({ limit, windowMs }) {
  const instants = new Float64Array(limit)
  let first = 0
  let size = 0
  return function allow(cost = 1, at = performance.now()) {
    while (size > 0 && instants[first] <= at - windowMs) {
      first = first + 1 === limit ? 0 : first + 1
      size--
    }
    if (size + cost > limit) return false
    for (let n = 0; n < cost; n++) instants[(first + size++) % limit] = at
    return true
  }
}

/** A token bucket for each key. Above `maxKeys` it evicts the least recently used. */
export function keyedTokenBucket({ ratePerSecond, burst }, maxKeys) {
  const perMs = ratePerSecond / 1000
  // Ordered by last use.
  const buckets = new Map()
  return function allow(key, cost = 1, at = performance.now()) {
    let bucket = buckets.get(key)
    if (bucket !== undefined) buckets.delete(key)
    else {
      if (buckets.size >= maxKeys) buckets.delete(buckets.keys().next().value)
      bucket = { tokens: burst, last: at }
    }
    buckets.set(key, bucket)
    bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, at - bucket.last) * perMs)
    bucket.last = at
    if (bucket.tokens < cost) return false
    bucket.tokens -= cost
    return true
  }
}
