import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { createWaitingLimiter, tokenBucket } from 'lull/core'
import { describe, expect, it } from 'vitest'
import { debounceThenLimit } from '../../../docs/recipes/debounce-then-limit.ts'
import { exportLimiter } from '../../../docs/recipes/export-to-opentelemetry.ts'
import { createTestClock } from '../time/clocks.ts'

describe('debounce, then limit', () => {
  function start() {
    const clock = createTestClock()
    const sent: string[] = []
    const save = debounceThenLimit(
      (_signal, text: string) => {
        // A limit may allow a millionth of a ms early.
        sent.push(`${text} at ${Math.round(clock.now() * 1e6) / 1e6}`)
        return Promise.resolve(text.length)
      },
      { wait: 100, ratePerSecond: 1, clock },
    )
    return { clock, sent, save }
  }

  it('sends the last of a burst after wait, and settles each call', async () => {
    const { clock, sent, save } = start()
    const calls = ['h', 'he', 'hey'].map((text) => save(text))
    await clock.advanceAsync(100)
    expect(sent).toEqual(['hey at 100'])
    expect(await Promise.all(calls)).toEqual([
      { status: 'superseded' },
      { status: 'superseded' },
      { status: 'done', value: 3 },
    ])
  })

  it('sends no faster than the limit, and replaces pending calls by newer ones', async () => {
    const { clock, sent, save } = start()
    const calls: ReturnType<typeof save>[] = []
    // Each burst ends after 100 ms, 300 ms after the previous one; the limit allows one a second.
    for (const text of ['a', 'b', 'c', 'd', 'e']) {
      calls.push(save(text))
      await clock.advanceAsync(300)
    }
    await clock.advanceAsync(5000)
    expect(sent).toEqual(['a at 100', 'd at 1100', 'e at 2100'])
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses).toEqual(['done', 'superseded', 'superseded', 'done', 'done'])
  })
})

it('exports a limiter to OpenTelemetry until stopped', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  // Collected by hand: the interval never elapses.
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 31 - 1 })
  const provider = new MeterProvider({ readers: [reader] })
  const clock = createTestClock()
  const limiter = createWaitingLimiter(tokenBucket({ ratePerSecond: 10, burst: 2 }), { clock })
  const stop = exportLimiter(provider.getMeter('test'), 'search', limiter)

  async function collect(): Promise<Record<string, unknown>> {
    const { resourceMetrics, errors } = await reader.collect()
    expect(errors).toEqual([])
    const points = resourceMetrics.scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => {
          expect(attributes['limiter']).toBe('search')
          return [[descriptor.name, attributes['belowMs']].filter(Boolean).join(' below '), value] as const
        }),
      )
    return Object.fromEntries(points)
  }

  for (let i = 0; i < 3; i++) limiter.allow()
  const waits = [limiter.wait(), limiter.wait(), limiter.wait()]
  await clock.advanceAsync(250)
  const shown = await collect()
  expect(shown).toEqual({
    'ratelimiter.allowed': 4,
    'ratelimiter.denied': 1,
    'ratelimiter.level': -0.5,
    'ratelimiter.rate': 10,
    'ratelimiter.waiting': 1,
  })
  await clock.advanceAsync(100)
  await Promise.all(waits)
  stop()
  // OpenTelemetry repeats the last observed values.
  expect(limiter.snapshot()).toMatchObject({ allowed: 5, waiting: 0 })
  expect(await collect()).toEqual(shown)
  await provider.shutdown()
})
