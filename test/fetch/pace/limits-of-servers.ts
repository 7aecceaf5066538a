/** A limit as a server keeps it: ms until it would let a request through, or 0, and then it has counted it. */
export type ServerLimit = (at: number) => number

/** @param factor what the rate and the burst are multiplied by, at an instant */
export function bucketLimit(
  ratePerSecond: number,
  burst: number,
  factor: (at: number) => number = () => 1,
): ServerLimit {
  let tokens = burst
  let last = 0
  return (at) => {
    const rate = (ratePerSecond * factor(at)) / 1000
    tokens = Math.min(Math.max(burst * factor(at), 1), tokens + (at - last) * rate)
    last = at
    if (tokens < 1 - 1e-9) return (1 - tokens) / rate
    tokens--
    return 0
  }
}

export function windowLimit(limit: number, windowMs: number): ServerLimit {
  let number = 0
  let count = 0
  return (at) => {
    if (Math.floor(at / windowMs) > number) count = 0
    number = Math.floor(at / windowMs)
    return count++ < limit ? 0 : (number + 1) * windowMs - at
  }
}

export function logLimit(limit: number, windowMs: number): ServerLimit {
  let log: number[] = []
  return (at) => {
    log = log.filter((one) => one > at - windowMs)
    if (log.length < limit) log.push(at)
    else return log[0]! + windowMs - at
    return 0
  }
}

/** Another client, of that rate, takes from the same limit. */
export function sharedLimit(limit: ServerLimit, ratePerSecond: number): ServerLimit {
  let next = 0
  return (at) => {
    for (; next <= at; next += 1000 / ratePerSecond) limit(next)
    return limit(at)
  }
}
