/**
 * How a rate follows what becomes of the calls: answers the rate, in events per second, after a call that has ended `now`, an
 * instant in ms that never goes back. `aimd` and `successRatio` make one. It serves one limiter.
 */
export type RateStrategy = (ratePerSecond: number, isSuccess: boolean, now: number) => number
