import {
  priorities,
  type CallOptions,
  type ComposeOptions,
  type PrioritiesOptions,
  type Priority,
} from 'lull/fetch'
import { describe, expect, it, vi } from 'vitest'
import { callWith } from '../fixtures/start.ts'
import { tooMany } from '../fixtures/fake-server.ts'
import { A, watch } from '../fixtures/start.ts'
import { compose } from '../fixtures/compose.ts'

const start = (
  { ageingMs, ...options }: ComposeOptions & PrioritiesOptions = {},
  answers?: Parameters<typeof compose>[2],
) => compose([priorities({ ageingMs })], options, answers)

describe('priorities', () => {
  it('is first in, first out within a priority, and strict between them', async () => {
    const started = start({ concurrency: 1 })
    callWith(started, [
      ['/first'],
      ['/low 1', 'low'],
      ['/auto 1', 'auto'],
      ['/high 1', 'high'],
      ['/low 2', 'low'],
      ['/2'],
      ['/high 2', 'high'],
    ])
    await started.clock.advanceAsync(100)
    expect(started.server.paths().map(decodeURI)).toEqual([
      '/first',
      '/high 1',
      '/high 2',
      '/auto 1',
      '/2',
      '/low 1',
      '/low 2',
    ])
  })

  it('is that of init, auto if it has none, and what rateLimit says before that', async () => {
    const started = start({ concurrency: 1 })
    callWith(started, [
      ['/first'],
      ['/5', 'high', 'low'],
      ['/3'],
      ['/1', 'low', 'high'],
      ['/4', 'high', 'auto'],
      ['/2', 'high'],
    ])
    await started.clock.advanceAsync(100)
    expect(started.server.paths()).toEqual(['/first', '/1', '/2', '/3', '/4', '/5'])
  })

  it.each([
    [9_990, ['/high', '/low']],
    [20_000, ['/low', '/high']],
  ])('one that has waited %i ms longer: %o', async (ms, order) => {
    const started = start()
    started.f.pause()
    callWith(started, [['/low', 'low']])
    await started.clock.advanceAsync(ms)
    callWith(started, [['/high', 'high']])
    started.f.configure({ concurrency: 1 })
    started.f.resume()
    await started.clock.advanceAsync(100)
    expect(started.server.paths()).toEqual(order)
  })

  it('with ageingMs Infinity nobody rises', async () => {
    const started = start({ ageingMs: Infinity })
    started.f.pause()
    callWith(started, [['/low', 'low']])
    await started.clock.advanceAsync(1e9)
    callWith(started, [['/high', 'high']])
    started.f.configure({ concurrency: 1 })
    started.f.resume()
    await started.clock.advanceAsync(100)
    expect(started.server.paths()).toEqual(['/high', '/low'])
  })

  it('the order at the reopening is priority, then arrival; a repeated call keeps its number', async () => {
    const started = start({ concurrency: 3 }, [200, tooMany(1), tooMany(1)])
    const { server, clock } = started
    callWith(started, [['/served'], ['/3'], ['/1', 'high']])
    await clock.advanceAsync(10)
    callWith(started, [['/4'], ['/2', 'high'], ['/5', 'low']])
    await clock.advanceAsync(5000)
    expect(server.paths().slice(3)).toEqual(['/1', '/2', '/3', '/4', '/5'])
  })
})

it('who has waited twice ageingMs is as urgent as the most urgent, and has come before them', async () => {
  const started = start({ concurrency: 1, ageingMs: 100 }, () => ({ status: 200, latencyMs: 150 }))
  const { server, clock } = started
  callWith(started, [['/first'], ['/low', 'low']])
  for (const path of ['/before', '/after']) {
    await clock.advanceAsync(100)
    callWith(started, [[path, 'high']])
  }
  await clock.advanceAsync(1000)
  expect(server.paths()).toEqual(['/first', '/before', '/low', '/after'])
})

describe('the promotion', () => {
  it('raises the priority of a call that waits: those who join it may be more urgent', async () => {
    const started = start({ concurrency: 1 })
    let promote!: (priority: Priority) => void
    callWith(started, [['/first'], ['/2']])
    const call = started.f(`${A}/low`, {
      rateLimit: { priority: 'low', promotion: (given) => (promote = given) },
    })
    callWith(started, [['/high', 'high'], ['/5']])
    promote('high')
    await started.clock.advanceAsync(100)
    await call
    // The earliest arrival of its new priority.
    expect(started.server.paths()).toEqual(['/first', '/low', '/high', '/2', '/5'])
  })

  it('does not lower it, nor do anything to a call that is sent, asleep or settled', async () => {
    const started = start({ concurrency: 1, random: () => 0.5 }, [500, 500, 500])
    const { f, server, clock } = started
    let promote!: (priority: Priority) => void
    callWith(started, [['/1']])
    const rateLimit: CallOptions = { promotion: (given) => (promote = given) }
    const call = watch(f(`${A}/2`, { rateLimit }), clock)
    callWith(started, [['/3', 'low']])
    for (let step = 0; step < 200; step++) {
      promote('low')
      if (step % 2) promote('auto')
      await clock.advanceAsync(10)
    }
    promote('high')
    expect(call.response?.status).toBe(200)
    expect(new Set(server.paths())).toEqual(new Set(['/1', '/2', '/3']))
  })
})

describe('what it checks', () => {
  it.each([0, -1, NaN, '5' as never])('%o is no ageingMs', (ageingMs) => {
    expect(() => priorities({ ageingMs })).toThrow(
      new RangeError(`Expected priorities ageingMs > 0, got ${ageingMs}`),
    )
  })

  it('a call of a priority that is none is refused, and costs nobody else', async () => {
    const started = start({ concurrency: 1 })
    const bad = watch(started.f(A, { rateLimit: { priority: 'urgent' as never } }), started.clock)
    const [good] = callWith(started, [['/', 'urgent' as never]])
    await started.clock.advanceAsync(10)
    expect(bad.error).toEqual(new RangeError('Expected priority to be high or auto or low, got urgent'))
    expect(good!.response?.status).toBe(200)
  })

  it('a promotion that throws is reported, and changes nothing', async () => {
    const reportError = vi.fn()
    vi.stubGlobal('reportError', reportError)
    const started = start()
    const error = new Error('thrown')
    const promotion = (): never => {
      throw error
    }
    const call = watch(started.f(A, { rateLimit: { promotion } }), started.clock)
    await started.clock.advanceAsync(10)
    vi.unstubAllGlobals()
    expect(call.response?.status).toBe(200)
    expect(reportError.mock.calls).toEqual([[error]])
  })
})
