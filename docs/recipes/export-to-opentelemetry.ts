import type { BatchObservableResult, Meter } from '@opentelemetry/api'
import type { WaitingLimiter } from 'lull/core'

/**
 * Exports `limiter` to OpenTelemetry as `name`. Use few names: no user
 * names, no addresses. Returns a function that stops it.
 */
export function exportLimiter(
  meter: Meter,
  name: string,
  limiter: WaitingLimiter<never>,
): () => void {
  const allowed = meter.createObservableCounter('ratelimiter.allowed')
  const denied = meter.createObservableCounter('ratelimiter.denied')
  const level = meter.createObservableGauge('ratelimiter.level')
  const rate = meter.createObservableGauge('ratelimiter.rate', {
    unit: '1/s',
  })
  const waiting = meter.createObservableGauge('ratelimiter.waiting')
  const all = [allowed, denied, level, rate, waiting]

  function observe(result: BatchObservableResult): void {
    const snapshot = limiter.snapshot()
    const attributes = { limiter: name }
    result.observe(allowed, snapshot.allowed, attributes)
    result.observe(denied, snapshot.denied, attributes)
    result.observe(level, snapshot.level, attributes)
    result.observe(rate, snapshot.ratePerSecond, attributes)
    result.observe(waiting, snapshot.waiting, attributes)
  }

  meter.addBatchObservableCallback(observe, all)
  return () => meter.removeBatchObservableCallback(observe, all)
}
